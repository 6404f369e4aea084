import type { Key, KeyPatch } from '@muster/contract'

import { withToast } from '#data/change/resource.ts'
import { useMissingScopeReason } from '#data/whoami.ts'
import { FieldProperty } from '#kit/fields/field-property.tsx'
import { StatusName } from '#kit/parts/status.tsx'
import { Property } from '#kit/record/property.tsx'
import { PersonById } from '#kit/references/people.tsx'
import { formatAge, formatInstant } from '#text/dates.ts'
import { t } from '#text/index.ts'

import { editKey } from './actions.ts'
import { keyFields } from './fields.ts'
import { Marked } from './key-columns.tsx'
import { KeyLink } from './key-link.tsx'
import { ProjectLinks } from './key-projects.tsx'
import { isPossible, reasonsFor, useKeyRights } from './reasons.ts'
import { mayText } from './scope-texts.ts'
import { withWarnings } from './warnings.ts'

const formatInstantAndAge = (instant: string) =>
  t('keys.instant', { instant: formatInstant(instant), age: formatAge(instant) })

interface Props {
  /** The prop is not named `key`, because React reserves that name. */
  readonly apiKey: Key
}

/** All facts of a key. The responsible person is changed in place. */
export function KeyProperties({ apiKey: key }: Props) {
  const [{ warnings } = { warnings: [] }] = withWarnings([key])
  const { status, scopes, allowed_cidrs, expires_at, revoked_at, last_used_at } = key
  return (
    <dl>
      <Property name={t('word.status')}>
        <StatusName set="keyStatus" status={status} />
      </Property>
      <Responsible apiKey={key} />
      <Property name={t('keys.may')}>{mayText(scopes)}</Property>
      <Property name={t('keys.projects')}>
        <ProjectLinks project_ids={key.project_ids} />
      </Property>
      <Property name={t('keys.from-network')}>
        <Marked warnings={warnings} by={{ any_network: 'warn' }}>
          {allowed_cidrs.join(', ') || t('keys.anywhere')}
        </Marked>
      </Property>
      <Property name={t('word.last-used')}>
        <Marked warnings={last_used_at === null ? warnings : []} by={{ never_used: 'warn' }}>
          <LastUse apiKey={key} />
        </Marked>
      </Property>
      {revoked_at === null ? (
        <Property name={t('word.expires')}>
          <Marked warnings={warnings} by={{ ends_soon: 'alarm', never_ends: 'warn' }}>
            {expires_at === null ? t('word.never') : formatInstantAndAge(expires_at)}
          </Marked>
        </Property>
      ) : (
        <Property name={t('keys.revoked')}>{formatInstantAndAge(revoked_at)}</Property>
      )}
      <Origin apiKey={key} />
    </dl>
  )
}

function Responsible({ apiKey: key }: Props) {
  const rights = useKeyRights()
  const hidden = useMissingScopeReason('personnel.read')
  const impossible = isPossible('edit', key) ? null : t('key.is-revoked')
  // A personal key belongs to its person.
  if (key.user_id !== null)
    return (
      <Property name={t('word.person')}>
        <PersonById userId={key.user_id} />
      </Property>
    )
  return (
    <FieldProperty
      field={keyFields.responsible_user_id}
      of={key}
      reason={impossible ?? reasonsFor(key, rights).edit ?? hidden}
      onSave={(changes: KeyPatch) => withToast(editKey(key, changes, rights.own))}
    >
      {key.responsible_user_id === null ? (
        t('value.none')
      ) : (
        <PersonById userId={key.responsible_user_id} />
      )}
    </FieldProperty>
  )
}

/** The service stores the last use to the minute and only the network part of the address. */
export function LastUse({ apiKey: { last_used_at, last_used_from } }: Props) {
  if (last_used_at === null) return t('word.never')
  const from = last_used_from === null ? '' : ` ${t('keys.from', { network: last_used_from })}`
  return formatInstantAndAge(last_used_at) + from
}

function Origin({ apiKey: key }: Props) {
  const { created_at, created_by, replaces, replaced_by } = key
  return (
    <>
      <Property name={t('word.created')}>{formatInstantAndAge(created_at)}</Property>
      <Property name={t('keys.created-by')}>
        <Creator {...created_by} />
      </Property>
      {replaces !== null && (
        <Property name={t('keys.replaces')}>
          <KeyLink id={replaces} withHint />
        </Property>
      )}
      {replaced_by !== null && (
        <Property name={t('keys.replaced-by')}>
          <KeyLink id={replaced_by} withHint />
        </Property>
      )}
    </>
  )
}

function Creator({ type, id }: Key['created_by']) {
  if (id !== null && type === 'person') return <PersonById userId={id} />
  if (id !== null && type === 'key') return <KeyLink id={id} />
  return t(type === 'admin' ? 'actor.name.admin' : 'actor.name.system')
}
