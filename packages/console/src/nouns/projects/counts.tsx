import type { ReactNode } from 'react'

import { LevelBar, levelCounts } from '#kit/parts/level-bar.tsx'
import { AnchorLink } from '#kit/parts/links.tsx'
import { Property } from '#kit/record/property.tsx'
import { formatNumber, t } from '#text/index.ts'

interface CountProps {
  readonly name: string
  /** The list of the counted items and its filters. */
  readonly to: '/risks' | '/issues' | '/tasks'
  readonly search: Readonly<Record<string, string>>
  /** Null or undefined if it is unknown. */
  readonly count: number | null | undefined
  readonly children?: ReactNode
}

/** A number of items of a project, with a link to their list. */
export const CountProperty = ({ name, to, search, count, children }: CountProps) => (
  <Property name={name}>
    <AnchorLink to={to} search={search} inherit>
      {typeof count === 'number' ? formatNumber(count) : t('value.none')}
    </AnchorLink>
    {children}
  </Property>
)

interface RisksProps extends Pick<CountProps, 'search' | 'count'> {
  readonly byLevel: Parameters<typeof levelCounts>[0]
}

/** The live risks of a project and their levels. */
export const RisksProperty = ({ search, count, byLevel }: RisksProps) => (
  <CountProperty name={t('projects.risks')} to="/risks" search={search} count={count}>
    <LevelBar counts={byLevel} />
    <small>{levelCounts(byLevel)}</small>
  </CountProperty>
)
