import type { Issue } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'

import { useMissingScopeReason } from '#api/whoami.ts'
import { t } from '#text/index.ts'
import { projectQuery } from '#ui/projects.ts'

/** Why each action is disabled; null if it is enabled. */
export interface Reasons {
  readonly change: string | null
  readonly assign: string | null
  readonly move: string | null
  readonly close: string | null
  readonly reopen: string | null
}

export function useReasons({ project_id, status }: Issue): Reasons {
  const scope = useMissingScopeReason('projects.manage')
  const people = useMissingScopeReason('personnel.read')
  const { data: project } = useQuery(projectQuery(project_id))
  const archived =
    project?.status === 'archived' ? t('issue.archived', { name: project.name }) : null
  const change = scope ?? archived
  const isClosed = status === 'closed'
  return {
    change,
    assign: change ?? people,
    move: change ?? (isClosed ? t('issue.status.closed') : null),
    close: change ?? (isClosed ? t('issue.close.already') : null),
    reopen: change ?? (isClosed ? null : t('issue.reopen.already')),
  }
}
