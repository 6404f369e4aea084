import { Type, type Static } from 'typebox'

import { id, instant, integer, known, lifetime, line, list, nullable } from './fields.ts'
import { Actor } from './history.ts'
import { limits } from './limits.ts'
import { newOf, patchOf } from './patch.ts'
import { scopes } from './scopes.ts'

/**
 * `muster_key_`, the workspace's id, 32 random characters, and a checksum of six: 76 characters.
 * Published so that secret scanners can find a key that leaked.
 */
export const keyPattern = '^muster_key_[0-7][0-9a-hjkmnp-tv-z]{25}_[0-9A-Za-z]{38}$'

export const keyStatuses = ['active', 'expired', 'revoked'] as const
export type KeyStatus = (typeof keyStatuses)[number]

const cidr = Type.String({
  minLength: 2,
  maxLength: 49,
  pattern: '^[0-9A-Fa-f.:]{2,45}(?:/[0-9]{1,3})?$',
  description: 'Addresses in CIDR notation; without a length, one address.',
  examples: ['203.0.113.0/24'],
})

/** What can be said of a key when it is made, and changed by PATCH. */
const given = {
  name: line(100, { description: 'What the key is for.', example: 'Payroll sync' }),
  allowed_cidrs: {
    ...list(
      cidr,
      limits.cidrsMax,
      'From where the key may be used, in CIDR notation; empty for anywhere.',
    ),
    uniqueItems: true,
  },
}

const held = list(
  known(scopes, { description: 'A scope.', example: 'personnel.read' }),
  scopes.length,
  'What the key may do.',
)

export const Key = Type.Object(
  {
    id: id('key', 'The id of this key. Not a secret.'),
    ...given,
    scopes: held,
    status: known(keyStatuses, { description: 'Whether it can be used.', example: 'active' }),
    hint: line(4, {
      description: 'The first four characters of its secret part, to tell keys apart.',
      example: 'q7Zp',
    }),
    created_by: Actor,
    expires_at: nullable(
      instant({
        description: 'When it ends; null for never.',
        example: '2024-05-12T09:30:00.000Z',
      }),
    ),
    revoked_at: nullable(
      instant({
        description: 'When it was revoked; null when it was not.',
        example: '2024-04-12T09:30:00.000Z',
      }),
    ),
    replaces: nullable(id('key', 'The key that it replaced, by rotation.')),
    replaced_by: nullable(
      id('key', 'The key that replaced it. It ends at `expires_at`: use the other.'),
    ),
    last_used_at: nullable(
      instant({
        description: 'When it was last used, to within a minute.',
        example: '2024-03-01T08:00:00.000Z',
      }),
    ),
    last_used_from: nullable(
      line(49, {
        description: 'From which network it was last used: the first part of the address.',
        example: '203.0.113.0/24',
      }),
    ),
    ...lifetime('the key', 'made'),
  },
  { title: 'Key', description: 'An API key. Its secret is shown once, when it is made.' },
)
export type Key = Static<typeof Key>

export const NewSecret = Type.Object(
  {
    ...Key.properties,
    secret: Type.String({
      minLength: 76,
      maxLength: 76,
      pattern: keyPattern,
      description:
        'The key itself, for `Authorization: Bearer`. It is shown now and never again: we keep ' +
        'only its hash.',
      examples: ['muster_key_01ktrr9d3hen4v9q9t9m2g8x5c_q7ZpQ2s9XbV4nM8kT1wY6cH3jL5dF0gR2xK9aB'],
    }),
  },
  { title: 'NewSecret', description: 'A key that was just made, with its secret.' },
)
export type NewSecret = Static<typeof NewSecret>

const days = (otherwise: string, exception = '') =>
  nullable(
    integer(1, limits.keyDays.max, {
      description:
        `In how many days it ends: ${otherwise} when it is left out; null, said explicitly, for ` +
        'never. The workspace may set a bound. If your own key expires, the new key ends with it ' +
        'at the latest: the default is shortened, a longer life is refused.' +
        exception,
      example: 30,
    }),
  )

export const NewKey = newOf(
  {
    name: given.name,
    scopes: {
      ...Type.Array(Type.Unsafe<(typeof scopes)[number]>({ type: 'string', enum: [...scopes] }), {
        minItems: 1,
        maxItems: scopes.length,
        description: 'What the key may do. You can only give what your own key holds.',
        examples: [['personnel.read']],
      }),
      uniqueItems: true,
    },
  },
  {
    ...given,
    allowed_cidrs: {
      ...given.allowed_cidrs,
      description:
        'From where the key may be used, in CIDR notation; empty for anywhere. When it is left ' +
        'out: the networks of the key that makes it. If that key is bound to networks, the list ' +
        'must not be empty and every network must be within them.',
    },
    expires_in_days: days(`${limits.keyDays.default}`),
  },
  {
    title: 'NewKey',
    description: 'A key to make.',
    example: { name: 'Payroll sync', scopes: ['personnel.read'], expires_in_days: 30 },
  },
)
export type NewKey = Static<typeof NewKey>

export const KeyPatch = patchOf(Key, given, {
  title: 'KeyPatch',
  description: 'What to change: a JSON merge patch. Scopes and expiry are for ever: rotate it.',
  example: { name: 'Payroll sync, nightly' },
})
export type KeyPatch = Static<typeof KeyPatch>

export const Rotation = newOf(
  {},
  {
    overlap_seconds: integer(0, limits.overlapSeconds.max, {
      description:
        'For how long the old key still works, beside the new one: ' +
        `${limits.overlapSeconds.default} when it is left out. It never outlives its own expiry.`,
      example: 3600,
    }),
    expires_in_days: days(
      'as many as the old one was given',
      ' This does not apply to a key that rotates itself.',
    ),
  },
  {
    title: 'Rotation',
    description: 'How the new key is to follow the old one.',
    example: { overlap_seconds: 3600 },
  },
)
export type Rotation = Static<typeof Rotation>
