import type { HistoryEntry } from '@muster/contract'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'

import type { Pages } from '#api/lists.ts'
import { t } from '#text/index.ts'
import { Section } from '#ui/page.tsx'
import { Timeline } from '#ui/timeline.tsx'

interface Props {
  readonly query: UseInfiniteQueryResult<Pages<HistoryEntry>>
}

export function RiskHistory({ query }: Props) {
  return (
    <Section title={t('risk.history')}>
      <Timeline query={query} />
    </Section>
  )
}
