import type { Issue } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'

import { useMissingScopeReason } from '#data/whoami.ts'
import { t } from '#text/index.ts'

import { projectQuery } from './projects.ts'

/** Why the issue cannot be changed or assigned; null if it can. */
export interface Reasons {
  readonly change: string | null
  readonly assign: string | null
}

export function useReasons({ project_id }: Pick<Issue, 'project_id'>): Reasons {
  const scope = useMissingScopeReason('projects.manage')
  const people = useMissingScopeReason('personnel.read')
  const { data: project } = useQuery(projectQuery(project_id))
  const archived =
    project?.status === 'archived' ? t('issue.archived', { name: project.name }) : null
  const change = scope ?? archived
  return { change, assign: change ?? people }
}
