import type { Person } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'

import { useMissingScopeReason } from '#data/whoami.ts'
import { ProblemNotice } from '#kit/feedback/problem.tsx'
import { showError } from '#kit/feedback/toast.tsx'
import { AnchorLink } from '#kit/parts/links.tsx'
import { Avatar, PersonName } from '#kit/parts/person.tsx'
import { StatusName } from '#kit/parts/status.tsx'
import {
  DateEditor,
  EditableProperty,
  PersonEditor,
  Property,
  PropertySection,
  TextEditor,
} from '#kit/record/property.tsx'
import { usePersonNames } from '#kit/references/people.tsx'
import { PersonAccessSection } from '#pages/access/person-access-section.tsx'
import { formatAge, formatDay, formatInstant } from '#text/dates.ts'
import { t } from '#text/index.ts'

import { changePerson } from './actions.ts'
import { BreakableEmail } from './email-link.tsx'
import { PersonGroups } from './person-groups.tsx'
import { reportsQuery } from './queries.ts'

import classes from './people.module.css'

interface Props {
  readonly person: Person
}

/** The properties of a person, edited in place. */
export function PersonProperties({ person }: Props) {
  return (
    <>
      <dl>
        <StatusProperties person={person} />
        <Details person={person} />
        <Property name={t('person.added-on')}>
          <Moment at={person.created_at} />
        </Property>
        <Property name={t('person.changed-on')}>
          <Moment at={person.updated_at} />
        </Property>
      </dl>
      <Metadata person={person} />
      <PersonGroups person={person} />
      <Reports person={person} />
      <PersonAccessSection person={person} />
    </>
  )
}

function StatusProperties({ person }: Props) {
  const { status, status_reason, status_changed_at, assignable } = person
  return (
    <>
      <Property name={t('people.status')}>
        <StatusName set="personStatus" status={status} />
      </Property>
      <Property name={t('person.since')}>
        <Moment at={status_changed_at} />
      </Property>
      {status_reason && <Property name={t('person.reason')}>{status_reason}</Property>}
      <Property name={t('person.new-work')}>
        {t(assignable ? 'person.new-work.yes' : 'person.new-work.no')}
      </Property>
    </>
  )
}

const texts = [
  ['title', t('people.job'), 200],
  ['department', t('people.department'), 200],
  ['email', t('people.email'), 254],
  ['phone', t('people.phone'), 50],
  ['time_zone', t('people.time-zone'), 64],
  ['external_id', t('people.external-id'), 255],
] as const
const dates = [
  ['start_on', t('people.start-on')],
  ['end_on', t('people.end-on')],
] as const

function Details({ person }: Props) {
  const names = usePersonNames([person.manager_user_id])
  const missingScope = useMissingScopeReason('personnel.manage')
  const reason = missingScope ?? (person.erased_at === null ? null : t('person.is-erased'))
  const save = (changes: Parameters<typeof changePerson>[1]) =>
    changePerson(person, changes).catch(showError)
  const manager = person.manager_user_id
  return (
    <>
      <EditableProperty
        name={t('people.manager')}
        reason={reason}
        edit={(close) => (
          <PersonEditor
            label={t('people.manager')}
            value={manager}
            onSave={(id) => save({ manager_user_id: id })}
            close={close}
          />
        )}
      >
        {manager === null ? <None /> : <PersonName name={names.get(manager) ?? '…'} />}
      </EditableProperty>
      {texts.map(([field, name, maxLength]) => (
        <EditableProperty
          key={field}
          name={name}
          reason={reason}
          edit={(close) => (
            <TextEditor
              label={name}
              value={person[field] ?? ''}
              maxLength={maxLength}
              onSave={(text) => save({ [field]: text.trim() || null })}
              close={close}
            />
          )}
        >
          {field === 'email' && person.email !== null ? (
            <BreakableEmail email={person.email} />
          ) : (
            (person[field] ?? <None />)
          )}
        </EditableProperty>
      ))}
      {dates.map(([field, name]) => (
        <EditableProperty
          key={field}
          name={name}
          reason={reason}
          edit={(close) => (
            <DateEditor
              label={name}
              value={person[field]}
              onSave={(day) => save({ [field]: day })}
              close={close}
            />
          )}
        >
          {person[field] === null ? <None /> : formatDay(person[field])}
        </EditableProperty>
      ))}
    </>
  )
}

function Metadata({ person: { metadata } }: Props) {
  const entries = Object.entries(metadata)
  if (entries.length === 0) return null
  return (
    <PropertySection title={t('person.metadata')}>
      <dl>
        {entries.map(([name, value]) => (
          <Property key={name} name={name}>
            {value}
          </Property>
        ))}
      </dl>
    </PropertySection>
  )
}

/** The first direct reports, with a link to all. */
function Reports({ person }: Props) {
  const { data, error } = useQuery(reportsQuery(person))
  return (
    <PropertySection
      title={t('person.reports')}
      aside={
        data &&
        data.next_cursor !== null && (
          <AnchorLink to="/people" search={{ manager_user_id: person.id }} size="sm">
            {data.total_count
              ? t('person.reports.all', { count: data.total_count })
              : t('person.reports.many')}
          </AnchorLink>
        )
      }
    >
      {error && <ProblemNotice error={error} />}
      {data?.count === 0 && <p className={classes.sectionText}>{t('person.reports.none')}</p>}
      <ul className={classes.plain}>
        {data?.data.map(({ id, name, title, status }) => (
          <li key={id} className={classes.named}>
            <Avatar name={name} isInactive={status !== 'active'} />
            <AnchorLink to="/people/$user_id" params={{ user_id: id }} inherit>
              {name}
            </AnchorLink>
            <small className={classes.cut}>{title}</small>
          </li>
        ))}
      </ul>
    </PropertySection>
  )
}

const None = () => <Muted>{t('person.not-set')}</Muted>

const Muted = ({ children }: { readonly children: ReactNode }) => (
  <span className={classes.ref}>{children}</span>
)

const Moment = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={formatInstant(at)}>
    {formatAge(at)}
  </time>
)
