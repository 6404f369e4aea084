import { Title } from '@mantine/core'
import type { Project } from '@muster/contract'
import { useInfiniteQuery } from '@tanstack/react-query'

import { useMissingScopeReason } from '#api/whoami.ts'
import { t } from '#text/index.ts'
import { Timeline } from '#ui/timeline.tsx'

import { projectHistory } from './queries.ts'

export function HistoryTab({ project }: { readonly project: Project }) {
  const seesKeys = useMissingScopeReason('keys.read') === null
  const query = useInfiniteQuery(projectHistory(project.id, seesKeys))
  return (
    <>
      <Title order={2} size="h4" mb="md">
        {t('project.tab.history')}
      </Title>
      <Timeline query={query} />
    </>
  )
}
