import type { Issue } from '@muster/contract'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'

import { useMissingScopeReason } from '#api/whoami.ts'
import { t } from '#text/index.ts'
import { Section } from '#ui/page.tsx'
import { projectQuery } from '#ui/projects.ts'
import { Timeline } from '#ui/timeline.tsx'

import { issueHistory } from './queries.ts'

export function IssueHistory({ issue }: { readonly issue: Issue }) {
  const seesKeys = useMissingScopeReason('keys.read') === null
  const query = useInfiniteQuery(issueHistory(issue, seesKeys))
  const { data: project } = useQuery(projectQuery(issue.project_id))
  return (
    <Section title={t('issue.history')}>
      <Timeline query={query} names={new Map(project && [[project.id, project.name]])} />
    </Section>
  )
}
