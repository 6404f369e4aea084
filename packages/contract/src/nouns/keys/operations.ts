import { Type } from 'typebox'

import { exampleOf } from '#contract/examples'
import { id, otherExampleId } from '#contract/field-schemas'
import { enumFilter, listOperation } from '#contract/list-operation'
import { Whoami } from '#contract/nouns/whoami'
import { operation } from '#contract/operation'
import { growthProblems } from '#contract/problems/operation-problems'

import { Key, KeyPatch, keyStatuses, NewKey, NewSecret, Rotation } from './key.ts'

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
    session: 'recent',
    body: NewKey,
    status: 201,
    response: NewSecret,
    cache: 'none',
    example: { expires_at: '2026-03-14T09:30:00.000Z' },
    problems: ['quota_exceeded', 'secret_not_replayable', 'unknown_reference'],
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
    summary: 'Update the name, the allowed networks or the projects of an API key.',
    description:
      'Omitted fields are unchanged. Scopes cannot be changed; create another key. Your own key ' +
      'must have every scope of the key. If your own key is restricted to networks, ' +
      '`allowed_cidrs` must be within them. In a session, allowing further networks or projects ' +
      'needs a recent sign-in.',
    method: 'PATCH',
    path: '/v1/keys/{key_id}',
    isMergePatch: true,
    body: KeyPatch,
    problems: [
      ...growthProblems,
      'not_found',
      'read_only_field',
      'invalid_transition',
      'unknown_reference',
    ],
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
      'within them. The new key lives at most as long as the old one was created for. If your own ' +
      'key expires, the new key expires no later, unless your key rotates itself.',
    path: '/v1/keys/{key_id}/rotate',
    session: 'recent',
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
      'beyond_your_rights',
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
    scope: 'any_principal',
    status: 200,
    response: Key,
    cache: 'none',
    example: revoked,
    problems: ['not_found'],
    events: ['key.revoked'],
  }),

  whoami: operation({
    summary: 'View who you are: your API key or your person, your workspace and your limits.',
    description: 'Needs a valid key or session and no scope. Use it to test a key.',
    method: 'GET',
    path: '/v1/whoami',
    scope: 'any_principal',
    status: 200,
    response: Whoami,
    cache: 'none',
    problems: [],
  }),
}
