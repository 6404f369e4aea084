import { Type, type Static } from 'typebox'

import { exampleOf, withExample } from '#contract/examples'
import {
  id,
  timestamp,
  integer,
  openEnum,
  auditFields,
  singleLine,
  list,
  nullable,
  otherExampleId,
} from '#contract/field-schemas'
import { Actor } from '#contract/history'
import { createSchema, patchSchema } from '#contract/input-schemas'
import { limits } from '#contract/limits'
import { scopes } from '#contract/scopes'

/**
 * `muster_key_`, the workspace id, 32 random characters and a 6-character checksum: 76 characters.
 * The pattern is public so that secret scanners can find leaked keys.
 */
export const keyPattern = '^muster_key_[0-7][0-9a-hjkmnp-tv-z]{25}_[0-9A-Za-z]{38}$'

export const keyStatuses = ['active', 'expired', 'revoked'] as const
export type KeyStatus = (typeof keyStatuses)[number]

const cidr = Type.String({
  minLength: 2,
  maxLength: 49,
  pattern: '^[0-9A-Fa-f.:]{2,45}(?:/[0-9]{1,3})?$',
  description: 'A network in CIDR notation, or one IP address.',
  examples: ['203.0.113.0/24'],
})

/** The fields that a client sets on creation and changes with PATCH. */
const writable = {
  name: singleLine(100, {
    description: 'The name of the key, such as its purpose.',
    example: 'Payroll sync',
  }),
  allowed_cidrs: {
    ...list(
      cidr,
      limits.cidrsMax,
      'The networks from which the key is allowed, in CIDR notation. Empty: any network.',
    ),
    uniqueItems: true,
  },
}

/** The scopes that a key with `project_ids` can have: no other operation knows a view. */
export const boundScopes = ['personnel.read', 'projects.read', 'projects.manage'] as const

const projectIds = (description: string) =>
  nullable({
    ...Type.Array(id('prj', 'The id of a project.'), {
      minItems: 1,
      maxItems: limits.keyProjectsMax,
      description,
    }),
    uniqueItems: true,
  })

const bound = projectIds(
  'The projects that the key is bound to. Nothing of any other project exists for it. Null: all ' +
    'projects.',
)

const responsible = id('usr', 'The person who is responsible for a service key, or null.')

const held = list(
  openEnum(scopes, { description: 'A scope.', example: 'personnel.read' }),
  scopes.length,
  'The scopes of the key.',
)

export const Key = withExample(
  Type.Object(
    {
      id: id('key', 'The id of this key. Not a secret.'),
      ...writable,
      scopes: held,
      project_ids: bound,
      status: openEnum(keyStatuses, { description: 'The status of the key.', example: 'active' }),
      hint: singleLine(4, {
        description: 'The first four characters of the secret part, to identify the key.',
        example: 'q7Zp',
      }),
      user_id: nullable(
        id(
          'usr',
          'The person of a personal key: it has the scopes that the role of the person also has. ' +
            'Null for a service key.',
        ),
      ),
      responsible_user_id: nullable(responsible),
      created_by: Actor,
      expires_at: nullable(
        timestamp({
          description: 'When the key expires. Null: never.',
          example: '2026-05-12T09:30:00.000Z',
        }),
      ),
      revoked_at: nullable(
        timestamp({
          description: 'When the key was revoked, or null.',
          example: '2026-04-12T09:30:00.000Z',
        }),
      ),
      replaces: nullable(id('key', 'The id of the key that this key replaced in a rotation.')),
      replaced_by: nullable(
        id('key', 'The id of the key that replaced this key, which expires at `expires_at`.'),
      ),
      last_used_at: nullable(
        timestamp({
          description: 'When the key was last used, accurate to one minute.',
          example: '2026-03-01T08:00:00.000Z',
        }),
      ),
      last_used_from: nullable(
        singleLine(49, {
          description: 'The network of the last use: the truncated IP address.',
          example: '203.0.113.0/24',
        }),
      ),
      ...auditFields('the key'),
    },
    { title: 'Key', description: 'An API key. The secret is shown only once, on creation.' },
  ),
  {
    project_ids: null,
    user_id: null,
    created_by: { id: otherExampleId('key') },
    revoked_at: null,
    replaces: null,
    replaced_by: null,
  },
)
export type Key = Static<typeof Key>

export const NewSecret = withExample(
  Type.Object(
    {
      ...Key.properties,
      secret: Type.String({
        minLength: 76,
        maxLength: 76,
        pattern: keyPattern,
        description:
          'The key for `Authorization: Bearer`. It is shown only in this response, because the ' +
          'service stores only its hash.',
        examples: ['muster_key_01ktrr9d3hen4v9q9t9m2g8x5c_q7ZpQ2s9XbV4nM8kT1wY6cH3jL5dF0gR2xK9aB'],
      }),
    },
    { title: 'NewSecret', description: 'A new API key with its secret.' },
  ),
  { ...(exampleOf(Key) as object), last_used_at: null, last_used_from: null },
)
export type NewSecret = Static<typeof NewSecret>

const lifetimeDays = (defaultDays: string, further = '') =>
  nullable(
    integer(1, limits.keyDays.max, {
      description:
        `The lifetime of the key in days. Default: ${defaultDays}. Null: never expires. The ` +
        'workspace may limit it. If your own key expires, the new key expires no later: the ' +
        'default is shortened, and a longer lifetime is refused.' +
        further,
      example: 30,
    }),
  )

export const NewKey = createSchema(
  {
    name: writable.name,
    scopes: {
      ...Type.Array(Type.Unsafe<(typeof scopes)[number]>({ type: 'string', enum: [...scopes] }), {
        minItems: 1,
        maxItems: scopes.length,
        description: 'The scopes of the key. You can grant only scopes of your own key.',
        examples: [['personnel.read']],
      }),
      uniqueItems: true,
    },
  },
  {
    ...writable,
    allowed_cidrs: {
      ...writable.allowed_cidrs,
      description:
        'The networks from which the key is allowed, in CIDR notation. Empty: any network. ' +
        'Default: the networks of your own key. If your key is restricted to networks, the list ' +
        'must not be empty and each network must be within them.',
    },
    project_ids: projectIds(
      'The projects that the key is bound to, or null for all projects (default). A key with ' +
        `projects can only have the scopes ${boundScopes.join(', ')}. It creates no project and ` +
        'never exceeds a risk appetite.',
    ),
    responsible_user_id: nullable(responsible),
    expires_in_days: lifetimeDays(`${limits.keyDays.default}`),
  },
  {
    title: 'NewKey',
    description: 'A key to create.',
    example: { name: 'Payroll sync', scopes: ['personnel.read'], expires_in_days: 30 },
  },
)
export type NewKey = Static<typeof NewKey>

export const KeyPatch = patchSchema(
  Key,
  { ...writable, project_ids: bound, responsible_user_id: nullable(responsible) },
  {
    title: 'KeyPatch',
    description: 'A JSON merge patch. Scopes and expiry cannot be changed; rotate the key.',
    example: { name: 'Payroll sync, nightly' },
  },
)
export type KeyPatch = Static<typeof KeyPatch>

export const Rotation = createSchema(
  {},
  {
    overlap_seconds: integer(0, limits.overlapSeconds.max, {
      description:
        'The seconds for which the old key stays valid, at most until its own expiry. ' +
        `Default: ${limits.overlapSeconds.default}.`,
      example: 3600,
    }),
    expires_in_days: lifetimeDays(
      'the lifetime of the old key',
      ' That does not apply to a key that rotates itself. A rotation keeps at most the lifetime ' +
        'of the old key; null is refused for a key that expires.',
    ),
  },
  {
    title: 'Rotation',
    description: 'The overlap with the old key and the lifetime of the new key.',
    example: { overlap_seconds: 3600 },
  },
)
export type Rotation = Static<typeof Rotation>
