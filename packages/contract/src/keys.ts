import { Type, type Static } from 'typebox'

import { id, instant, integer, known, line, list, nullable } from './fields.ts'
import { limits, type Quota } from './limits.ts'
import { operation } from './operation.ts'
import { scopes } from './scopes.ts'

/**
 * `muster_key_`, the workspace's id, 32 random characters, and a checksum of six: 76 characters.
 * Published so that secret scanners can find a key that leaked.
 */
export const keyPattern = '^muster_key_[0-7][0-9a-hjkmnp-tv-z]{25}_[0-9A-Za-z]{38}$'

export const keyStatuses = ['active', 'expired', 'revoked'] as const
export type KeyStatus = (typeof keyStatuses)[number]

export const Key = Type.Object(
  {
    id: id('key', 'The id of this key. Not a secret.'),
    name: line(100, { description: 'What the key is for.', example: 'Payroll sync' }),
    scopes: list(
      known(scopes, { description: 'A scope.', example: 'personnel.read' }),
      scopes.length,
      'What the key may do.',
    ),
    status: known(keyStatuses, { description: 'Whether it can be used.', example: 'active' }),
    hint: line(4, {
      description: 'The first four characters of its secret part, to tell keys apart.',
      example: 'q7Zp',
    }),
    created_at: instant({
      description: 'When it was made.',
      example: '2024-02-12T09:30:00.000Z',
    }),
    expires_at: nullable(
      instant({
        description: 'When it ends; null for never.',
        example: '2024-05-12T09:30:00.000Z',
      }),
    ),
    last_used_at: nullable(
      instant({
        description: 'When it was last used, to within a minute.',
        example: '2024-03-01T08:00:00.000Z',
      }),
    ),
  },
  { title: 'Key', description: 'An API key. Its secret is shown once, when it is made.' },
)
export type Key = Static<typeof Key>

const amounts: Record<Quota, string> = {
  people: 'People on the roster; those who departed do not count.',
  groups: 'Active groups.',
  projects: 'Projects that are not archived.',
  live_risks: 'Live risks.',
  open_issues: 'Open issues.',
  open_tasks: 'Open tasks.',
  keys: 'API keys that are not revoked.',
}

const Amounts = (title: string, description: string, example: (quota: Quota) => number) =>
  Type.Object(
    Object.fromEntries(
      Object.entries(amounts).map(([quota, about]) => [
        quota,
        // The cast holds because `amounts` has exactly the quotas as its keys.
        integer(0, Number.MAX_SAFE_INTEGER, {
          description: about,
          example: example(quota as Quota),
        }),
      ]),
    ) as Record<Quota, ReturnType<typeof integer>>,
    { title, description },
  )

export const Whoami = Type.Object(
  {
    key: Key,
    workspace: Type.Object(
      {
        id: id('wsp', 'The id of the workspace.'),
        name: line(100, { description: 'What the organisation is called.', example: 'Acme' }),
        time_zone: line(64, {
          description: 'Whose midnight makes a date overdue.',
          example: 'UTC',
        }),
      },
      { description: 'The workspace the key belongs to. It sees nothing else.' },
    ),
    limits: Type.Object(
      {
        page_size_max: integer(1, 100_000, {
          description: 'The largest `limit` of a page.',
          example: limits.page.max,
        }),
        body_bytes_max: integer(1, Number.MAX_SAFE_INTEGER, {
          description: 'The largest JSON body, in bytes.',
          example: limits.bodyBytesMax,
        }),
        batch_bytes_max: integer(1, Number.MAX_SAFE_INTEGER, {
          description: 'The largest body of a batch, in bytes.',
          example: limits.batchBytesMax,
        }),
        batch_rows_max: integer(1, Number.MAX_SAFE_INTEGER, {
          description: 'How many rows a batch takes at once.',
          example: limits.itemsMax,
        }),
        complete_streams: integer(1, 1000, {
          description: 'How many complete lists this key may receive at one time.',
          example: limits.completeStreamsPerKey,
        }),
        quota: Amounts('Quota', 'How much the workspace may hold.', (quota) => limits.quota[quota]),
      },
      { description: 'The limits in force.' },
    ),
    usage: Amounts('Usage', 'How much the workspace holds now.', () => 12),
  },
  { title: 'Whoami', description: 'Who is asking, and what they may.' },
)
export type Whoami = Static<typeof Whoami>

export const keys = {
  whoami: operation({
    summary: 'View the key you are using, its workspace and its limits.',
    description: 'Needs a valid key and no scope. A good first call.',
    method: 'GET',
    path: '/v1/whoami',
    scope: 'any_key',
    status: 200,
    response: Whoami,
    cache: 'none',
    problems: [],
  }),
}
