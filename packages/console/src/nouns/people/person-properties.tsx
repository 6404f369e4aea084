import type { Person, PersonPatch } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'

import { useMissingScopeReason } from '#data/whoami.ts'
import { ProblemNotice } from '#kit/feedback/problem.tsx'
import { FieldProperty } from '#kit/fields/field-property.tsx'
import { Age } from '#kit/parts/age.tsx'
import { AnchorLink } from '#kit/parts/links.tsx'
import { Avatar, PersonName } from '#kit/parts/person.tsx'
import { StatusName } from '#kit/parts/status.tsx'
import { MetadataSection, Property, PropertySection } from '#kit/record/property.tsx'
import { usePersonNames } from '#kit/references/people.tsx'
import { PersonAccessSection } from '#pages/access/person-access-section.tsx'
import { formatDay } from '#text/dates.ts'
import { t } from '#text/index.ts'

import { savePerson } from './actions.ts'
import { BreakableEmail } from './email-link.tsx'
import { personFields, statusFields } from './fields.ts'
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
          <Age at={person.created_at} />
        </Property>
        <Property name={t('word.changed')}>
          <Age at={person.updated_at} />
        </Property>
      </dl>
      <MetadataSection metadata={person.metadata} />
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
      <Property name={statusFields.status.label}>
        <StatusName set="personStatus" status={status} />
      </Property>
      <Property name={t('person.since')}>
        <Age at={status_changed_at} />
      </Property>
      {status_reason && (
        <Property name={statusFields.status_reason.label}>{status_reason}</Property>
      )}
      <Property name={t('person.new-work')}>{t(assignable ? 'word.yes' : 'word.no')}</Property>
    </>
  )
}

const texts = ['title', 'department', 'email', 'phone', 'time_zone', 'external_id'] as const
const dates = ['start_on', 'end_on'] as const

function Details({ person }: Props) {
  const { manager_user_id: manager, email, erased_at } = person
  const names = usePersonNames([manager])
  const missingScope = useMissingScopeReason('personnel.manage')
  const property = {
    of: person,
    reason: missingScope ?? (erased_at === null ? null : t('person.is-erased')),
    onSave: (changes: PersonPatch) => savePerson(person, changes),
  }
  return (
    <>
      <FieldProperty {...property} field={personFields.manager_user_id}>
        {manager === null ? notSet : <PersonName name={names.get(manager) ?? '…'} />}
      </FieldProperty>
      {texts.map((name) => (
        <FieldProperty key={name} {...property} field={personFields[name]}>
          {name === 'email' && email !== null ? (
            <BreakableEmail email={email} />
          ) : (
            (person[name] ?? notSet)
          )}
        </FieldProperty>
      ))}
      {dates.map((name) => (
        <FieldProperty key={name} {...property} field={personFields[name]}>
          {person[name] === null ? notSet : formatDay(person[name])}
        </FieldProperty>
      ))}
    </>
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
      <ul>
        {data?.data.map(({ id, name, title, status }) => (
          <li key={id} className={classes.named}>
            <Avatar name={name} isInactive={status !== 'active'} />
            <AnchorLink to="/people/$user_id" params={{ user_id: id }} inherit>
              {name}
            </AnchorLink>
            <small className="cut">{title}</small>
          </li>
        ))}
      </ul>
    </PropertySection>
  )
}

const notSet = <span className={classes.ref}>{t('value.none')}</span>
