import type { Risk } from '@muster/contract'

import { IconAbove } from '#kit/icons/index.tsx'
import { type Column, refOf } from '#kit/list/columns.ts'
import { Title } from '#kit/list/title.tsx'
import { Age } from '#kit/parts/age.tsx'
import { RiskLink } from '#kit/parts/links.tsx'
import { PersonName } from '#kit/parts/person.tsx'
import { ScoreChip, Trend } from '#kit/parts/score.tsx'
import { StatusName } from '#kit/parts/status.tsx'
import { When } from '#kit/parts/when.tsx'
import { t } from '#text/index.ts'
import { label } from '#text/labels.ts'

import type { ListedRisk } from './queries.ts'
import { isAccepted } from './risk-level.ts'

import parts from '#kit/parts/parts.module.css'
import classes from './risks.module.css'

const about = (suspended: ReadonlySet<string>): readonly Column<ListedRisk>[] => [
  {
    name: t('word.score'),
    sort: '-score',
    width: '60px',
    phone: 'lead',
    cell: ({ score, level, previous_score }) => (
      <span className={classes.score}>
        <ScoreChip score={score} level={level} /> <Trend score={score} previous={previous_score} />
      </span>
    ),
  },
  { name: t('word.ref'), width: '72px', fit: refOf, cell: refOf },
  {
    name: t('word.risk'),
    sort: 'title',
    width: 'minmax(0, 1fr)',
    phone: 'title',
    cell: (risk) => (
      <Title end={<RiskFlags risk={risk} />}>
        <RiskLink item={risk} />
      </Title>
    ),
  },
  { name: t('word.project'), width: '180px', from: 1100, cell: ({ project }) => project.name },
  {
    name: t('word.owner'),
    sort: 'owner',
    width: '140px',
    narrow: '24px',
    phone: 'meta',
    cell: (risk) => (
      <>
        <span className={classes.phoneRef}>{risk.ref}</span>
        <PersonName
          name={ownerName(risk)}
          missing={t('word.no-owner')}
          {...(isSuspended(risk, suspended) && {
            isInactive: true,
            mark: label('personStatus', 'suspended'),
          })}
        />
      </>
    ),
  },
  {
    name: t('word.status'),
    width: '96px',
    from: 820,
    cell: ({ status }) => <StatusName set="riskStatus" status={status} />,
  },
]

const isSuspended = ({ owner_user_id }: ListedRisk, suspended: ReadonlySet<string>) =>
  owner_user_id !== null && suspended.has(owner_user_id)

const ownerName = ({ owner, owner_user_id }: ListedRisk) =>
  owner?.name ?? (owner_user_id === null ? null : t('actor.name.person'))

export const liveColumns = (suspended: ReadonlySet<string>): readonly Column<ListedRisk>[] => [
  ...about(suspended),
  {
    name: t('word.review'),
    sort: 'review_on',
    width: '92px',
    phone: 'end',
    cell: ({ review_on }) => <When day={review_on} missing={t('word.not-set')} />,
  },
]

export const closedColumns: readonly Column<ListedRisk>[] = [
  ...about(new Set()),
  {
    name: t('word.reason'),
    width: '120px',
    from: 820,
    cell: ({ close_reason }) => close_reason && label('riskCloseReason', close_reason),
  },
  {
    name: t('word.closed'),
    sort: '-closed_at',
    width: '104px',
    phone: 'end',
    cell: ({ closed_at, updated_at }) => <Age at={closed_at ?? updated_at} />,
  },
]

/** What has no column of its own: above appetite, accepted, acceptance expired. */
export function RiskFlags({ risk }: { readonly risk: Risk }) {
  const { flags } = risk
  if (isAccepted(risk))
    return (
      <span className={parts.flag} data-quiet>
        {t('risks.accepted')}
      </span>
    )
  return (
    <>
      {flags.includes('acceptance_expired') && (
        <span className={parts.flag}>{label('riskFlag', 'acceptance_expired')}</span>
      )}
      {flags.includes('above_appetite') && (
        <span className={parts.flag}>
          <span data-from={1100}>
            <IconAbove size={14} />
          </span>
          {t('word.above')}
        </span>
      )}
    </>
  )
}
