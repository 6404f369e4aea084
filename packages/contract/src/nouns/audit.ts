import { Type, type Static } from 'typebox'

import {
  booleanField,
  id,
  integer,
  nullable,
  openEnum,
  singleLine,
  timestamp,
} from '#contract/field-schemas'
import { Actor } from '#contract/history'
import { limits } from '#contract/limits'
import {
  enumFilter,
  feedFields,
  feedParameter,
  listOperation,
  valuesFilter,
} from '#contract/list-operation'

export const auditTypes = [
  'sign_in.succeeded',
  'sign_in.failed',
  'session.ended',
  'access.updated',
  'link.created',
  'key.created',
  'key.rotated',
  'key.revoked',
  'passkey.created',
  'passkey.removed',
  'provider.updated',
  'provider.removed',
  'identity.bound',
  'identity.confirmed',
  'request.refused',
  'membership.updated',
  'group.archived',
  'group.restored',
  'person.suspended',
  'person.resumed',
  'person.departed',
  'person.rejoined',
  'person.erased',
  'personnel.exported',
  'key.updated',
  'identity.changed',
  'identity.removed',
  'workspace.updated',
] as const
export type AuditType = (typeof auditTypes)[number]

export const AuditEntry = Type.Object(
  {
    id: id('aud', 'The id of the entry.'),
    type: openEnum(auditTypes, { description: 'What happened.', example: 'sign_in.succeeded' }),
    actor: Actor,
    user_id: nullable(id('usr', 'The person that the entry is about, where there is one.')),
    subject_id: nullable(
      singleLine(40, {
        description: 'The key, passkey, session or group that the entry is about.',
        example: 'ses_01ktrr9d3hen4v9q9t9m2g8x5c',
      }),
    ),
    reason: nullable(
      singleLine(200, {
        description:
          'The method of a sign-in or why it failed, why a request was refused, the roles before ' +
          'and after a change of access, the key that replaces a rotated one, or the format of ' +
          'an export.',
        example: 'passkey',
      }),
    ),
    network: nullable(
      singleLine(49, {
        description: 'The network that the request came from: the truncated IP address.',
        example: '203.0.113.0/24',
      }),
    ),
    user_agent: nullable(
      singleLine(200, {
        description: 'The client, as its User-Agent header names it.',
        example: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/150.0',
      }),
    ),
    count: integer(1, Number.MAX_SAFE_INTEGER, {
      description:
        'How many times it happened. The first refusal of a credential in a network and for a ' +
        'reason has an entry at once. The others of that minute are counted in a second entry.',
      example: 1,
    }),
    occurred_at: timestamp({
      description: 'When it happened, or began to happen.',
      example: '2026-03-01T08:00:00.000Z',
    }),
    is_imported: booleanField({
      description:
        'Whether the entry came with an import of the workspace. This service did not observe it.',
      example: false,
    }),
  },
  { title: 'AuditEntry', description: 'An entry of the audit log.' },
)
export type AuditEntry = Static<typeof AuditEntry>

const list = listOperation({
  summary: 'List the audit log.',
  description:
    'Returns sign-ins, refusals, ends of sessions, exports of the roster, and changes of access, ' +
    'identity, links and keys, newest first. With `after`, programs follow the log in the order ' +
    'of its commits, as JSON or NDJSON. Entries are only added. Erasing a person removes network ' +
    `and client from entries about them. Entries are kept for ${limits.auditDays} days; of ` +
    `refusals, the newest ${limits.auditFailuresMax} of genuine credentials and as many others ` +
    `are kept. In each minute, ${limits.refusalKindsMax} kinds of refusals of genuine ` +
    'credentials and as many others have entries of their own. Further kinds are counted in one ' +
    'entry with the reason `other`.',
  path: '/v1/audit',
  scope: 'workspace.read',
  collection: 'access',
  cache: 'none',
  item: AuditEntry,
  title: 'AuditLog',
  problems: ['position_lost'],
  filters: {
    ...feedParameter,
    type: Type.Optional(enumFilter(auditTypes, 'Only entries of these types.', 'key.created')),
    user_id: Type.Optional(
      valuesFilter(id('usr', 'The id of a person.'), 'Only entries about these people.'),
    ),
  },
})

export const audit = {
  list: {
    ...list,
    isFeed: true,
    response: Type.Object(
      { ...list.response.properties, ...feedFields },
      {
        title: 'AuditLog',
        description: 'The complete list, one page, or entries after a position.',
      },
    ),
  },
} as const
