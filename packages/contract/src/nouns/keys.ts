import { Type, type Static } from 'typebox'

import { exampleOf } from '#contract/examples'
import { id, integer, otherExampleId, singleLine } from '#contract/field-schemas'
import { limits, type Quota, quotas } from '#contract/limits'
import { enumFilter, listOperation } from '#contract/list-operation'
import { operation } from '#contract/operation'

import { Key, KeyPatch, keyStatuses, NewKey, NewSecret, Rotation } from './key.ts'

const quotaCounts = (title: string, description: string, example: (quota: Quota) => number) =>
  Type.Object(
    Object.fromEntries(
      Object.entries(quotas).map(([quota, { description: text }]) => [
        quota,
        // The cast holds because these are the keys of `quotas`.
        integer(0, Number.MAX_SAFE_INTEGER, {
          description: text,
          example: example(quota as Quota),
        }),
      ]),
    ) as Record<Quota, ReturnType<typeof integer>>,
    { title, description },
  )

const usage: Readonly<Record<Quota, number>> = {
  people: 40,
  groups: 6,
  projects: 8,
  live_risks: 63,
  open_issues: 21,
  open_tasks: 34,
  keys: 3,
}

export const Whoami = Type.Object(
  {
    key: Key,
    workspace: Type.Object(
      {
        id: id('wsp', 'The id of the workspace.'),
        name: singleLine(100, { description: 'The name of the organisation.', example: 'Acme' }),
        time_zone: singleLine(64, {
          description: 'The IANA time zone in which dates become overdue at midnight.',
          example: 'Europe/Stockholm',
        }),
      },
      { description: 'The workspace of the key. The key has no access to any other.' },
    ),
    limits: Type.Object(
      {
        page_size_max: integer(1, 100_000, {
          description: 'The maximum `limit` of a page.',
          example: limits.page.max,
        }),
        body_bytes_max: integer(1, Number.MAX_SAFE_INTEGER, {
          description: 'The maximum size of a JSON body, in bytes.',
          example: limits.bodyBytesMax,
        }),
        batch_bytes_max: integer(1, Number.MAX_SAFE_INTEGER, {
          description: 'The maximum size of a batch body, in bytes.',
          example: limits.batchBytesMax,
        }),
        batch_rows_max: integer(1, Number.MAX_SAFE_INTEGER, {
          description: 'The maximum number of rows in a batch.',
          example: limits.itemsMax,
        }),
        complete_streams: integer(1, 1000, {
          description: 'The maximum number of concurrent complete lists per key.',
          example: limits.completeStreamsPerKey,
        }),
        requests_per_minute: integer(1, Number.MAX_SAFE_INTEGER, {
          description:
            'The maximum number of requests per minute of this key. A 304 of a list or a summary ' +
            'does not count.',
          example: limits.perMinute.key,
        }),
        workspace_requests_per_minute: integer(1, Number.MAX_SAFE_INTEGER, {
          description: 'The maximum number of requests per minute of all keys of the workspace.',
          example: limits.perMinute.workspace,
        }),
        quota: quotaCounts('Quota', 'The quotas of the workspace.', (quota) => limits.quota[quota]),
      },
      { description: 'The limits in force.' },
    ),
    usage: quotaCounts('Usage', 'The current counts of the workspace.', (quota) => usage[quota]),
  },
  {
    title: 'Whoami',
    description: 'The authenticated key, its workspace, its limits and the usage.',
  },
)
export type Whoami = Static<typeof Whoami>

const params = Type.Object({ key_id: id('key', 'The id of the key.') })

/** What the example of a revoked key shows. */
const revoked = {
  status: 'revoked',
  revoked_at: '2026-04-12T09:30:00.000Z',
  updated_at: '2026-04-12T09:30:00.000Z',
}

/** The common part of all operations that change a key. Its status expires with time: no ETag. */
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
    summary: 'List API keys.',
    description:
      'Returns all keys that are not revoked, in order of creation. `status=revoked` lists ' +
      'revoked keys. Secrets are never included.',
    path: '/v1/keys',
    scope: 'keys.read',
    collection: 'keys',
    cache: 'none',
    item: Key,
    title: 'KeyList',
    filters: {
      status: Type.Optional(
        enumFilter(
          keyStatuses,
          'Only keys with one of these statuses. Default: active and expired.',
          'active',
        ),
      ),
    },
  }),

  create: operation({
    summary: 'Create an API key.',
    description:
      'The response contains the `secret`. Store it: it is shown only once. A repeated request ' +
      'with the same `Idempotency-Key` returns the id of the key without the secret. If your own ' +
      'key is restricted to networks, the new key can only have networks within them. Without ' +
      '`allowed_cidrs` it gets the networks of your key. If your own key expires, the new key ' +
      'expires no later.',
    method: 'POST',
    path: '/v1/keys',
    scope: 'keys.manage',
    body: NewKey,
    status: 201,
    response: NewSecret,
    cache: 'none',
    example: { expires_at: '2026-03-14T09:30:00.000Z' },
    problems: ['quota_exceeded', 'secret_not_replayable'],
    events: ['key.created'],
  }),

  view: operation({
    summary: 'View an API key.',
    description: 'Returns a key with any status, including expired and revoked keys.',
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
    summary: 'Update the name or the allowed networks of an API key.',
    description:
      'Omitted fields are unchanged. Scopes cannot be changed; create another key. Your own key ' +
      'must have every scope of the key. If your own key is restricted to networks, ' +
      '`allowed_cidrs` must be within them.',
    method: 'PATCH',
    path: '/v1/keys/{key_id}',
    isMergePatch: true,
    body: KeyPatch,
    problems: ['not_found', 'read_only_field', 'invalid_transition'],
    events: ['key.updated'],
  }),

  rotate: operation({
    ...change,
    summary: 'Rotate an API key.',
    description:
      'Replaces the key with a new key of the same scopes. The response contains the new ' +
      '`secret`, which is shown only once. The old key stays valid for `overlap_seconds`; its ' +
      'responses have the headers `Deprecation` and `Sunset`. Your own key must have every scope ' +
      'of the key. If your own key is restricted to networks, those of another key must be ' +
      'within them. If your own key expires, the new key expires no later, unless your key ' +
      'rotates itself.',
    path: '/v1/keys/{key_id}/rotate',
    body: Rotation,
    status: 201,
    createdIn: '/v1/keys',
    response: NewSecret,
    example: {
      id: otherExampleId('key'),
      created_by: { id: exampleOf(Key.properties.id) },
      replaces: exampleOf(Key.properties.id),
    },
    problems: [
      'networks_not_covered',
      'not_found',
      'quota_exceeded',
      'invalid_transition',
      'secret_not_replayable',
    ],
    events: ['key.created', 'key.rotated', 'key.revoked'],
  }),

  revoke: operation({
    ...change,
    summary: 'Revoke an API key.',
    description:
      'The service refuses the key from the next request on. Revocation is permanent. It needs ' +
      '`keys.manage` and none of the scopes of the key.',
    path: '/v1/keys/{key_id}/revoke',
    example: revoked,
    problems: ['not_found'],
    events: ['key.revoked'],
  }),

  revoke_self: operation({
    summary: 'Revoke your own API key.',
    description:
      'Needs a valid key and no scope. A person who finds a leaked key can revoke it with the key.',
    method: 'POST',
    path: '/v1/keys/self/revoke',
    scope: 'any_key',
    status: 200,
    response: Key,
    cache: 'none',
    example: revoked,
    problems: [],
    events: ['key.revoked'],
  }),

  whoami: operation({
    summary: 'View your own API key, its workspace and its limits.',
    description: 'Needs a valid key and no scope. Use it to test a key.',
    method: 'GET',
    path: '/v1/whoami',
    scope: 'any_key',
    status: 200,
    response: Whoami,
    cache: 'none',
    problems: [],
  }),
}
