import { Type, type Static } from 'typebox'

import { id, integer, line } from './fields.ts'
import { Key, KeyPatch, keyStatuses, NewKey, NewSecret, Rotation } from './key.ts'
import { limits, type Quota } from './limits.ts'
import { anyOf, listOperation } from './list.ts'
import { operation } from './operation.ts'

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
        requests_per_minute: integer(1, Number.MAX_SAFE_INTEGER, {
          description:
            'How many requests this key may make in a minute. The 304 of a list or a summary does ' +
            'not count.',
          example: limits.perMinute.key,
        }),
        workspace_requests_per_minute: integer(1, Number.MAX_SAFE_INTEGER, {
          description: 'How many requests all keys of the workspace may make together.',
          example: limits.perMinute.workspace,
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

const params = Type.Object({ key_id: id('key', 'The id of the key.') })

/** What the changes of a key have in common. Its status follows the clock, so it has no ETag. */
const change = {
  method: 'POST',
  scope: 'keys.manage',
  params,
  status: 200,
  response: Key,
  cache: 'none',
} as const

export const keys = {
  list: listOperation({
    summary: 'List the API keys of the workspace.',
    description:
      'All that are not revoked, in the order they were made. `status=revoked` lists the others. ' +
      'Secrets are not kept, so none are shown.',
    path: '/v1/keys',
    scope: 'keys.read',
    collection: 'keys',
    cache: 'none',
    item: Key,
    title: 'KeyList',
    filters: {
      status: Type.Optional(
        anyOf(
          keyStatuses,
          'Only keys with one of these statuses. Without it: active and expired.',
          'active',
        ),
      ),
    },
  }),

  create: operation({
    summary: 'Make an API key.',
    description:
      'The answer holds the `secret`, once: keep it. A request that is repeated under its ' +
      '`Idempotency-Key` returns the id of the key, and not the secret. A key that is bound to ' +
      'networks can only give networks within its own; without `allowed_cidrs` the new key gets ' +
      'the networks of the key that makes it. If your own key expires, the new key ends with it ' +
      'at the latest.',
    method: 'POST',
    path: '/v1/keys',
    scope: 'keys.manage',
    body: NewKey,
    status: 201,
    response: NewSecret,
    cache: 'none',
    problems: ['quota_exceeded', 'secret_not_replayable'],
    events: ['key.created'],
  }),

  view: operation({
    summary: 'View one API key.',
    description: 'Answers any key there ever was, also one that expired or was revoked.',
    method: 'GET',
    path: '/v1/keys/{key_id}',
    scope: 'keys.read',
    params,
    status: 200,
    response: Key,
    cache: 'none',
    problems: ['not_found'],
  }),

  update: operation({
    ...change,
    summary: 'Change the name of an API key, or from where it may be used.',
    description:
      'What is left out stays. What it may do cannot be changed: make another key. You need to ' +
      'hold every scope of the key. If your own key is bound to networks, you can only set ' +
      '`allowed_cidrs` to networks within its own.',
    method: 'PATCH',
    path: '/v1/keys/{key_id}',
    body: KeyPatch,
    problems: ['not_found', 'read_only_field', 'invalid_transition'],
    events: ['key.updated'],
  }),

  rotate: operation({
    ...change,
    summary: 'Replace an API key by a new one that may do the same.',
    description:
      'The answer holds the new `secret`, once. The old key works on for `overlap_seconds`, and ' +
      'its answers carry `Deprecation` and `Sunset`. You need to hold every scope of the key. If ' +
      'your own key is bound to networks, those of another key to rotate must be within them. If ' +
      'your own key expires, the new key ends with it at the latest, unless your key rotates itself.',
    path: '/v1/keys/{key_id}/rotate',
    body: Rotation,
    status: 201,
    response: NewSecret,
    problems: [
      'networks_not_covered',
      'not_found',
      'quota_exceeded',
      'invalid_transition',
      'secret_not_replayable',
    ],
    events: ['key.created', 'key.rotated'],
  }),

  revoke: operation({
    ...change,
    summary: 'Revoke an API key.',
    description:
      'From the next request on it is refused. It cannot be undone. `keys.manage` is enough, ' +
      'whatever scopes the key holds.',
    path: '/v1/keys/{key_id}/revoke',
    problems: ['not_found'],
    events: ['key.revoked'],
  }),

  revoke_self: operation({
    summary: 'Revoke the key you are using.',
    description:
      'Needs a valid key and no scope: whoever finds a key that leaked can end it with itself.',
    method: 'POST',
    path: '/v1/keys/self/revoke',
    scope: 'any_key',
    status: 200,
    response: Key,
    cache: 'none',
    problems: [],
    events: ['key.revoked'],
  }),

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
