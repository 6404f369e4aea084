import { Group } from '@mantine/core'
import type { AccessList, Person } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'

import { useMissingScopeReason } from '#data/whoami.ts'
import { ProblemNotice } from '#kit/feedback/problem.tsx'
import { ActionButton } from '#kit/parts/action-button.tsx'
import { AnchorLink } from '#kit/parts/links.tsx'
import { Property, PropertySection } from '#kit/record/property.tsx'
import { GroupLink } from '#kit/references/group-links.tsx'
import { t } from '#text/index.ts'
import { label } from '#text/labels.ts'

import { subjectOf } from './actions.ts'
import { PersonSignInProperties } from './person-sign-in.tsx'
import { accessQuery, personSessionsQuery } from './queries.ts'
import { type SignInAction, useSignInDialogs } from './sign-in-dialogs.ts'

interface Props {
  readonly person: Person
}

/** The roles, sessions and credentials of a person, for those who may manage access. */
export function PersonAccessSection({ person }: Props) {
  const reason = useMissingScopeReason('workspace.manage')
  return reason === null && person.status !== 'departed' && <PersonAccess person={person} />
}

function PersonAccess({ person }: Props) {
  const { data: list, error } = useQuery(accessQuery)
  const { data: sessions } = useQuery(personSessionsQuery(person.id))
  const { open, dialog } = useSignInDialogs()
  const inactive = person.status === 'active' ? null : t('person-access.inactive')
  const button = (action: SignInAction, text: string, reason: string | null = null) => (
    <ActionButton size="compact-sm" reason={reason} onClick={() => open(action, person)}>
      {text}
    </ActionButton>
  )
  return (
    <PropertySection
      title={t('access.title')}
      aside={
        <AnchorLink to="/access" search={{}} size="sm" underline="always">
          {t('person-access.manage')}
        </AnchorLink>
      }
    >
      {error && <ProblemNotice error={error} />}
      <dl>
        {list && (
          <Property name={t('word.roles')}>
            <Roles person={person} list={list} />
          </Property>
        )}
        {sessions && (
          <Property name={t('word.signed-in')}>
            {sessions.data.length === 0
              ? t('word.no')
              : t('person-access.sessions.in', { count: sessions.data.length })}
          </Property>
        )}
        <PersonSignInProperties person={person} />
      </dl>
      <Group gap="xs" px={8} className="no-print">
        {button('link', t('link.action'), inactive)}
        {button('end', t('end-sessions.action'))}
        {button('confirm', t('person-access.confirm'), inactive)}
      </Group>
      {dialog}
    </PropertySection>
  )
}

/** The roles of the person's own entry and of their groups. */
function Roles({ person, list }: Props & { readonly list: AccessList }) {
  const subjects = new Set([person.id, ...person.group_ids])
  const entries = list.entries.filter(
    (entry) => entry.is_granting && subjects.has(subjectOf(entry)),
  )
  if (entries.length === 0) return t('person-access.none')
  return entries.map(({ role, group_id }) => (
    <span key={group_id ?? 'own'}>
      {group_id === null ? (
        t('person-access.own', { role: label('role', role) })
      ) : (
        <>
          {t('person-access.through', { role: label('role', role) })}{' '}
          <GroupLink groupId={group_id} underline="always" />
        </>
      )}
    </span>
  ))
}
