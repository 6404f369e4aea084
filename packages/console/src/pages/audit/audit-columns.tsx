import type { AuditEntry } from '@muster/contract'

import { IconKey } from '#kit/icons/index.tsx'
import type { Column } from '#kit/list/columns.ts'
import { Avatar } from '#kit/parts/person.tsx'
import { GroupLink } from '#kit/references/group-links.tsx'
import { PersonLink } from '#kit/references/people.tsx'
import { KeyLink } from '#nouns/keys/key-link.tsx'
import { formatAge, formatTime } from '#text/dates.ts'
import { t } from '#text/index.ts'
import { fieldLabel, label } from '#text/labels.ts'
import { formatUserAgent } from '#text/user-agent.ts'

import classes from './audit.module.css'

type Names = ReadonlyMap<string, string>

export const auditColumns = (names: Names): readonly Column<AuditEntry>[] => [
  {
    name: t('audit.time'),
    width: '88px',
    phone: 'end',
    cell: ({ occurred_at }) => (
      <time dateTime={occurred_at} title={formatAge(occurred_at)} className="number">
        {formatTime(occurred_at)}
      </time>
    ),
  },
  {
    name: t('audit.who'),
    width: 'minmax(0, 1fr)',
    phone: 'meta',
    cell: ({ actor }) => <Author actor={actor} names={names} />,
  },
  {
    name: t('audit.what'),
    width: 'minmax(0, 2.4fr)',
    phone: 'title',
    cell: (entry) => <What entry={entry} names={names} />,
  },
  {
    name: t('audit.client'),
    width: 'minmax(0, 1fr)',
    from: 820,
    cell: ({ user_agent }) =>
      user_agent === null ? (
        t('value.none')
      ) : (
        <span title={user_agent}>{formatUserAgent(user_agent)}</span>
      ),
  },
  {
    name: t('audit.from'),
    width: '120px',
    from: 620,
    cell: ({ network }) => network ?? t('value.none'),
  },
]

interface AuthorProps {
  readonly actor: AuditEntry['actor']
  readonly names: Names
}

/** Who did it: a person, or a key with its icon. */
function Author({ actor: { type, id, user_id }, names }: AuthorProps) {
  if (type === 'person')
    return (
      <span className={classes.who}>
        <Avatar name={user_id === null ? null : (names.get(user_id) ?? null)} />
        <PersonLink userId={user_id} names={names} />
      </span>
    )
  if (type === 'key' && id !== null)
    return (
      <span className={classes.who}>
        <IconKey size={16} />
        <KeyLink id={id} />
      </span>
    )
  return t(`actor.name.${type}`)
}

interface EntryProps {
  readonly entry: AuditEntry
  readonly names: Names
}

/** What happened, to whom or what, and how. */
function What({ entry, names }: EntryProps) {
  const { type, count, user_id, actor, subject_id, reason, is_imported } = entry
  const text = label('auditType', type)
  return (
    <span className={classes.what}>
      <b>{count === 1 ? text : t('audit.times', { type: text, count })}</b>
      {user_id !== null && user_id !== actor.user_id && (
        <PersonLink userId={user_id} names={names} />
      )}
      {subject_id !== actor.id && <Subject id={subject_id} />}
      {type === 'key.rotated' && reason !== null ? (
        <span>
          → <KeyLink id={reason} withHint />
        </span>
      ) : (
        reason !== null && <span>{reasonText(type, reason)}</span>
      )}
      {is_imported && <span>{t('audit.imported')}</span>}
    </span>
  )
}

/** Types whose reason is the roles before and after, such as `none to admin`. */
const roleTypes = new Set<AuditEntry['type']>([
  'access.updated',
  'membership.updated',
  'group.archived',
  'group.restored',
])

/** The roles before and after, the changed fields, why it was refused, or how someone signed in. */
function reasonText(type: AuditEntry['type'], reason: string): string {
  if (roleTypes.has(type)) return reason.split(' to ').map(roleName).join(' → ')
  if (type === 'identity.changed') return reason.split(', ').map(fieldLabel).join(', ')
  if (type === 'key.updated')
    return reason.replaceAll(/\bproject_ids [^,]*/g, fieldLabel('project_ids'))
  if (type === 'personnel.exported') return label('exportFormat', reason)
  if (type === 'sign_in.failed' || type === 'request.refused') return label('refusalReason', reason)
  return label('signInMethod', reason)
}

const roleName = (role: string) => (role === 'none' ? t('shell.no-role') : label('role', role))

/** The key or the group that the entry is about. Sessions and passkeys have no page. */
function Subject({ id }: { readonly id: string | null }) {
  if (id?.startsWith('key_') === true) return <KeyLink id={id} withHint />
  return id?.startsWith('grp_') === true ? <GroupLink groupId={id} /> : null
}
