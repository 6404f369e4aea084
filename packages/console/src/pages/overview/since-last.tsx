import { useQuery } from '@tanstack/react-query'

import { issueAddress, projectAddress, riskAddress } from '#data/addresses.ts'
import { useMissingScopeReason, useWhoami } from '#data/whoami.ts'
import { ProblemNotice } from '#kit/feedback/problem.tsx'
import { RailSection } from '#kit/list/rail.tsx'
import { Bones } from '#kit/parts/bones.tsx'
import { AnchorLink } from '#kit/parts/links.tsx'
import { Avatar } from '#kit/parts/person.tsx'
import { usePersonNames } from '#kit/references/people.tsx'
import { type ChangeEntry, changesQuery } from '#nouns/changes/queries.ts'
import { formatInstant } from '#text/dates.ts'
import { t } from '#text/index.ts'

import { type Deed, deedsOf } from './deeds.ts'

import classes from './overview.module.css'

const shownMax = 4

/** The earliest time that can be compared with now. */
const earliest = () => new Date(Date.now() - 399 * 86_400_000).toISOString()

/** What others did since the last visit of the person. */
export function SinceLast() {
  const { previous_visit_at: visit } = useWhoami()
  return visit === null ? null : <Deeds since={visit > earliest() ? visit : earliest()} />
}

function Deeds({ since }: { readonly since: string }) {
  const me = useWhoami().person?.user_id
  const { data, error } = useQuery(changesQuery({ since }))
  const deeds = data ? deedsOf(data, me) : []
  const shown = deeds.slice(0, shownMax)
  const names = usePersonNames(shown.map(({ step }) => step.actor.user_id))
  return (
    <RailSection title={t('overview.since')} aside={formatInstant(since)}>
      {data === undefined && error === null && <Bones count={shownMax} />}
      {data === undefined && error !== null && <ProblemNotice error={error} />}
      {data && deeds.length === 0 && <p className={classes.quiet}>{t('overview.since.none')}</p>}
      {deeds.length > 0 && (
        <ul className={classes.deeds}>
          {shown.map((deed) => (
            <DeedRow key={deed.entry.id} deed={deed} names={names} />
          ))}
        </ul>
      )}
      {deeds.length > shown.length && (
        <AnchorLink to="/changes" search={{ since }} inherit className={classes.more}>
          {t('overview.since.all', { count: deeds.length })}
        </AnchorLink>
      )}
    </RailSection>
  )
}

interface RowProps {
  readonly deed: Deed
  readonly names: ReadonlyMap<string, string>
}

function DeedRow({ deed: { entry, step, text }, names }: RowProps) {
  const seesPeople = useMissingScopeReason('personnel.read') === null
  const { user_id, type } = step.actor
  const name =
    type === 'person' && user_id !== null
      ? (names.get(user_id) ?? (seesPeople ? '…' : null))
      : t(`actor.name.${type}`)
  return (
    <li>
      <Avatar name={name} />
      <span>
        {name !== null && <b>{name} </b>}
        {t(text)} <AnchorLink {...addressOf(entry)}>{entry.ref}</AnchorLink> {entry.title}
        <time dateTime={step.occurred_at}>{formatInstant(step.occurred_at)}</time>
      </span>
    </li>
  )
}

function addressOf({ id, project }: ChangeEntry) {
  if (id.startsWith('prj')) return projectAddress({ id })
  const item = { id, project_id: project.id }
  return id.startsWith('rsk') ? riskAddress(item) : issueAddress(item)
}
