import type { IssueSummary } from '@muster/contract'

import { Bars } from '#kit/list/bars.tsx'
import type { Filters } from '#kit/list/filters.ts'
import { RailSection } from '#kit/list/rail.tsx'
import { ratingLevel } from '#kit/parts/score.tsx'
import { t } from '#text/index.ts'

import { ageBands, type Band, isInBand } from './age-bands.ts'
import { useSeverities } from './severity.tsx'

interface Props {
  readonly summary: IssueSummary | undefined
  readonly filters: Filters
}

/** The open issues by age and by severity. A bar is a filter. */
export function IssueRail({ summary, filters }: Props) {
  const severities = useSeverities()
  return (
    <>
      <RailSection title={t('word.opened')}>
        <Bars bars={ageBands().map((band) => ageBar(band, summary, filters))} />
      </RailSection>
      <RailSection title={t('issues.severity')}>
        <Bars
          bars={severities.map(({ rating, name }) => {
            const counted = summary?.by_severity.find(({ severity }) => severity === rating)
            const filter = { severity: String(rating) }
            return {
              name: `${rating} ${name}`,
              parts: summary ? [{ level: ratingLevel(rating), count: counted?.count ?? 0 }] : null,
              isPressed: filters.isSet(filter),
              onClick: () => filters.toggle(filter),
            }
          })}
        />
      </RailSection>
    </>
  )
}

function ageBar(band: Band, summary: IssueSummary | undefined, filters: Filters) {
  const cells = summary?.cells.filter(({ month }) => isInBand(month, band))
  const countOf = (level: string) =>
    cells
      ?.filter(({ severity }) => ratingLevel(severity) === level)
      .reduce((sum, { count }) => sum + count, 0) ?? 0
  const levels = ['critical', 'high', 'medium', 'low']
  const parts = cells ? levels.map((level) => ({ level, count: countOf(level) })) : null
  // An unbounded side matches only if the URL has no such parameter.
  const isPressed =
    (filters.values['opened_from'] ?? null) === band.from &&
    (filters.values['opened_before'] ?? null) === band.before
  return {
    name: t(band.text),
    parts,
    isPressed,
    onClick: () =>
      filters.set({
        opened_from: isPressed ? null : band.from,
        opened_before: isPressed ? null : band.before,
      }),
  }
}
