import type { Level, RiskSummary } from '@muster/contract'

import { t } from '#text/index.ts'
import { label } from '#text/labels.ts'
import type { Filters } from '#ui/filters.ts'
import { Tiles } from '#ui/tiles.tsx'

const worstFirst: readonly Level[] = ['critical', 'high', 'medium', 'low']

interface Props {
  readonly summary: RiskSummary | undefined
  readonly filters: Filters
}

export function LevelTiles({ summary, filters }: Props) {
  const tiles = worstFirst.map((level) => ({
    name: label('level', level),
    filter: { level },
    count: summary?.by_level[level],
    level,
  }))
  const cols = { base: 2, xs: 4 }
  return <Tiles label={t('risks.levels')} tiles={tiles} filters={filters} cols={cols} />
}
