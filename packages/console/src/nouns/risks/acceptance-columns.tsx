import type { Acceptance } from '@muster/contract'

import type { Column } from '#kit/list/columns.ts'
import { Title } from '#kit/list/title.tsx'
import { RiskLink } from '#kit/parts/links.tsx'
import { PersonName } from '#kit/parts/person.tsx'
import { ScoreChip } from '#kit/parts/score.tsx'
import { formatDay, formatInstant } from '#text/dates.ts'
import { t } from '#text/index.ts'
import { label } from '#text/labels.ts'

import classes from './risks.module.css'

export interface ListedAcceptance extends Acceptance {
  readonly id: string
}

/** An acceptance keeps the score and the appetite of its time. */
type Kept = Pick<Acceptance, 'score' | 'level' | 'risk_appetite'>

/** The score at the time of the acceptance; a dash if it is not known. */
export const KeptScore = ({ score, level }: Kept) =>
  score === null || level === null ? t('value.none') : <ScoreChip score={score} level={level} />

/** The appetite at that time. A project without an appetite is not the same as an unknown one. */
export function keptAppetite({ score, risk_appetite }: Kept): string {
  if (score === null) return t('value.none')
  return risk_appetite === null ? t('word.none') : String(risk_appetite)
}

export const acceptanceColumns: readonly Column<ListedAcceptance>[] = [
  {
    name: t('word.score-then'),
    width: '80px',
    phone: 'lead',
    cell: (acceptance) => <KeptScore {...acceptance} />,
  },
  {
    name: t('word.appetite-then'),
    width: '96px',
    from: 1100,
    cell: (acceptance) => <span className="number">{keptAppetite(acceptance)}</span>,
  },
  { name: t('word.ref'), width: '72px', cell: ({ ref }) => ref },
  {
    name: t('word.risk'),
    width: 'minmax(0, 1.2fr)',
    phone: 'title',
    cell: ({ risk_id, project_id, title }) => (
      <Title>
        <RiskLink item={{ id: risk_id, project_id, title }} />
      </Title>
    ),
  },
  {
    name: t('risk.rationale'),
    width: 'minmax(0, 1fr)',
    from: 1100,
    cell: ({ rationale }) => <span title={rationale}>{rationale}</span>,
  },
  {
    name: t('word.accepted-by'),
    width: '140px',
    narrow: '24px',
    phone: 'meta',
    cell: ({ ref, accepted_by }) => (
      <>
        <span className={classes.phoneRef}>{ref}</span>
        <PersonName name={accepted_by?.name ?? t('actor.name.person')} />
      </>
    ),
  },
  {
    name: t('acceptances.at'),
    width: '150px',
    from: 820,
    cell: ({ accepted_at }) => (
      <time dateTime={accepted_at} className="number">
        {formatInstant(accepted_at)}
      </time>
    ),
  },
  {
    name: t('acceptances.until'),
    width: '96px',
    phone: 'end',
    cell: ({ expires_on }) => <span className="number">{formatDay(expires_on)}</span>,
  },
  { name: t('word.status'), width: '96px', from: 820, cell: statusText },
]

function statusText({ status, end_reason, ended_at }: Acceptance) {
  if (end_reason === null || ended_at === null) return label('acceptanceStatus', status)
  return <span title={formatInstant(ended_at)}>{label('acceptanceEndReason', end_reason)}</span>
}
