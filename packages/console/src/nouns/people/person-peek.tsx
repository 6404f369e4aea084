import type { Person } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'

import { personAddress } from '#data/addresses.ts'
import { fromList } from '#data/order.ts'
import { useMissingScopeReason } from '#data/whoami.ts'
import { Peek } from '#kit/list/peek.tsx'
import type { PeekProps } from '#kit/list/record-list.tsx'
import { WorkGlyph, WorkLink } from '#kit/list/work.tsx'
import { ActionButton } from '#kit/parts/action-button.tsx'
import { ButtonLink } from '#kit/parts/links.tsx'
import { Avatar } from '#kit/parts/person.tsx'
import { StatusName } from '#kit/parts/status.tsx'
import { When } from '#kit/parts/when.tsx'
import { ActionMenu } from '#kit/record/action-menu.tsx'
import { Property } from '#kit/record/property.tsx'
import { GroupLink } from '#kit/references/group-links.tsx'
import { PersonLink, usePersonNames } from '#kit/references/people.tsx'
import { formatDay } from '#text/dates.ts'
import { formatNumber, t } from '#text/index.ts'

import { personQuery } from './actions.ts'
import { useAssignments } from './assignments.ts'
import { EmailLink } from './email-link.tsx'
import { personFields, statusFields } from './fields.ts'
import { type OpenPersonDialog, usePersonMenu } from './person-dialogs.tsx'
import { workSections } from './work.tsx'

import classes from './people.module.css'

interface Props extends PeekProps<Person> {
  readonly open: OpenPersonDialog
}

/** A person beside the list: the facts, the next work and the groups. */
export function PersonPeek({ item, onOpen, onClose, open }: Props) {
  const { data: person = item } = useQuery(personQuery(item))
  const { isEmpty, hiddenReason } = useAssignments(person.id)
  const reason = useMissingScopeReason('projects.manage')
  const menuOf = usePersonMenu()
  return (
    <Peek
      title={t('word.person')}
      onOpen={onOpen}
      onClose={onClose}
      foot={
        <>
          <ButtonLink {...personAddress(person)} state={fromList}>
            {t('word.open')}
          </ButtonLink>
          {!isEmpty && (
            <ActionButton reason={hiddenReason ?? reason} onClick={() => open('reassign', person)}>
              {t('person.reassign.open')}
            </ActionButton>
          )}
          <ActionMenu of={person.name} groups={menuOf(person, open)} />
        </>
      }
    >
      <div className={classes.head}>
        <Avatar name={person.name} size={40} isInactive={person.status !== 'active'} />
        <div>
          <h2>{person.name}</h2>
          <span>{person.title}</span>
        </div>
      </div>
      <Facts person={person} />
      <NextWork person={person} />
      {person.group_ids.length > 0 && (
        <section className={classes.section} aria-label={t('groups.title')}>
          <h3>{t('groups.title')}</h3>
          {person.group_ids.map((id) => (
            <div key={id} className={classes.peekItem}>
              <GroupLink groupId={id} />
            </div>
          ))}
        </section>
      )}
    </Peek>
  )
}

interface PersonProps {
  readonly person: Person
}

function Facts({ person }: PersonProps) {
  const names = usePersonNames([person.manager_user_id])
  const { status, department, manager_user_id, email, phone, start_on } = person
  return (
    <dl className={classes.peekFacts}>
      <Property name={statusFields.status.label}>
        <StatusName set="personStatus" status={status} />
      </Property>
      {department && <Property name={personFields.department.label}>{department}</Property>}
      {manager_user_id && (
        <Property name={personFields.manager_user_id.label}>
          <PersonLink userId={manager_user_id} names={names} />
        </Property>
      )}
      {email && (
        <Property name={personFields.email.label}>
          <EmailLink email={email} />
        </Property>
      )}
      {phone && <Property name={personFields.phone.label}>{phone}</Property>}
      {start_on && <Property name={personFields.start_on.label}>{formatDay(start_on)}</Property>}
    </dl>
  )
}

const shownWorkMax = 3

/** The work that is due first. */
function NextWork({ person }: PersonProps) {
  const { items } = useAssignments(person.id)
  const next = workSections(items)
    .flatMap((section) => section.items)
    .slice(0, shownWorkMax)
  if (next.length === 0) return null
  return (
    <section className={classes.section} aria-label={t('person.assigned')}>
      <h3>
        {t('person.assigned')} <span className={classes.ref}>{formatNumber(items.length)}</span>
      </h3>
      {next.map((item) => (
        <div key={item.id} className={classes.peekItem}>
          <WorkGlyph item={item} />
          <WorkLink item={item} />
          <When day={item.due_on} />
        </div>
      ))}
    </section>
  )
}
