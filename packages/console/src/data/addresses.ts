import type { OrderedRef } from './order.ts'

/** The addresses of the pages of records, for links and for navigation. */
export const projectAddress = ({ id }: OrderedRef) =>
  ({ to: '/projects/$project_id', params: { project_id: id }, search: {} }) as const

export const riskAddress = ({ project_id = '', id }: OrderedRef) =>
  ({
    to: '/projects/$project_id/risks/$risk_id',
    params: { project_id, risk_id: id },
    search: {},
  }) as const

export const issueAddress = ({ project_id = '', id }: OrderedRef) =>
  ({
    to: '/projects/$project_id/issues/$issue_id',
    params: { project_id, issue_id: id },
    search: {},
  }) as const

export const taskAddress = ({ project_id = '', id }: OrderedRef) =>
  ({
    to: '/projects/$project_id/tasks/$task_id',
    params: { project_id, task_id: id },
    search: {},
  }) as const

export const personAddress = ({ id }: OrderedRef) =>
  ({ to: '/people/$user_id', params: { user_id: id }, search: {} }) as const
