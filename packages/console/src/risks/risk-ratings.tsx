import { Group, Stack, Text } from '@mantine/core'
import type { HistoryEntry, Risk, Scale } from '@muster/contract'
import { type UseInfiniteQueryResult, useQuery } from '@tanstack/react-query'

import type { Pages } from '#api/lists.ts'
import { formatDay } from '#text/dates.ts'
import { t } from '#text/index.ts'
import { label } from '#text/labels.ts'
import { LevelBadge } from '#ui/level.tsx'
import { Section } from '#ui/page.tsx'

import { scaleQuery } from './queries.ts'
import { levelOf } from './risk-level.ts'
import { BasisBadge, type BasisRating, RiskMatrix } from './risk-matrix.tsx'
import { RiskTrend } from './risk-trend.tsx'

interface Props {
  readonly risk: Risk
  readonly history: UseInfiniteQueryResult<Pages<HistoryEntry>>
}

/** The current, target and inherent rating. */
export function RiskRatings({ risk, history }: Props) {
  const { data: scale } = useQuery(scaleQuery)
  const { likelihood, impact, score, target, inherent } = risk
  const ratings: readonly BasisRating[] = [
    { basis: 'current', rating: { likelihood, impact, score } },
    { basis: 'target', rating: target },
    { basis: 'inherent', rating: inherent },
  ]
  return (
    <Section title={t('risk.ratings')}>
      <Group align="flex-start" gap="lg">
        <RiskMatrix scale={scale} ratings={ratings} />
        <Stack component="dl" gap="sm" m={0} flex="1 1 180px">
          {ratings.map((basisRating) => (
            <Rating
              key={basisRating.basis}
              basisRating={basisRating}
              scale={scale}
              due={targetDueOn(basisRating, risk)}
            />
          ))}
        </Stack>
      </Group>
      <RiskTrend risk={risk} history={history} />
    </Section>
  )
}

const targetDueOn = ({ basis }: BasisRating, { target }: Risk) =>
  basis === 'target' ? (target?.due_on ?? null) : null

interface RatingProps {
  readonly basisRating: BasisRating
  readonly scale: Scale | undefined
  readonly due: string | null
}

function Rating({ basisRating: { basis, rating }, scale, due }: RatingProps) {
  return (
    <div>
      <Text component="dt" size="xs" c="dimmed">
        <BasisBadge basis={basis} /> {label('basis', basis)}
      </Text>
      <Text component="dd" size="sm" m={0}>
        {rating === null ? (
          t('risk.unrated')
        ) : (
          <>
            <Score score={rating.score} scale={scale} />{' '}
            {t('risk.rating', {
              likelihood: rating.likelihood,
              likely: nameOf(scale?.likelihood, rating.likelihood),
              impact: rating.impact,
              harm: nameOf(scale?.impact, rating.impact),
            })}
            {due && `, ${t('risk.due', { day: formatDay(due) })}`}
          </>
        )}
      </Text>
    </div>
  )
}

function Score({ score, scale }: { readonly score: number; readonly scale: Scale | undefined }) {
  const level = levelOf(scale, score)
  return (
    <LevelBadge level={level}>
      {t('risk.score-level', { score, level: label('level', level) })}
    </LevelBadge>
  )
}

const nameOf = (of: Scale['likelihood'] | undefined, rating: number) =>
  of?.find((each) => each.rating === rating)?.label ?? ''
