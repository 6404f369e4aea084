import { Type, type Static } from 'typebox'

import { id } from '#contract/field-schemas'
import { createSchema } from '#contract/input-schemas'
import { operation } from '#contract/operation'

import { Key, NewKey, NewSecret } from './key.ts'

const { name, scopes, allowed_cidrs, project_ids, expires_in_days } = NewKey.properties

export const NewPersonalKey = createSchema(
  {
    name,
    scopes: {
      ...scopes,
      description:
        'The scopes of the key. At each request the key has those that your roles also have.',
    },
  },
  { allowed_cidrs, project_ids, expires_in_days },
  {
    title: 'NewPersonalKey',
    description: 'A personal key to create.',
    example: { name: 'My script', scopes: ['personnel.read'], expires_in_days: 30 },
  },
)
export type NewPersonalKey = Static<typeof NewPersonalKey>

export const PersonalKeyList = Type.Object(
  { data: Type.Array(Key, { description: 'The keys that are not revoked, oldest first.' }) },
  { title: 'PersonalKeyList', description: 'The keys of the person who is signed in.' },
)
export type PersonalKeyList = Static<typeof PersonalKeyList>

export const personal_keys = {
  list: operation({
    summary: 'List your personal API keys.',
    description: 'Returns your keys that are not revoked.',
    method: 'GET',
    path: '/v1/personnel/me/keys',
    scope: 'person',
    status: 200,
    response: PersonalKeyList,
    cache: 'none',
    problems: [],
  }),

  create: operation({
    summary: 'Create a personal API key.',
    description:
      'The key acts as you. Its rights end with yours: at each request it has its scopes that ' +
      'your roles also have. The response contains the `secret`, which is shown only once.',
    method: 'POST',
    path: '/v1/personnel/me/keys',
    scope: 'person',
    session: 'only',
    body: NewPersonalKey,
    status: 201,
    createdIn: '/v1/keys',
    response: NewSecret,
    cache: 'none',
    example: { expires_at: '2026-03-14T09:30:00.000Z' },
    problems: [
      'quota_exceeded',
      'secret_not_replayable',
      'insufficient_scope',
      'unknown_reference',
    ],
    events: ['key.created'],
  }),

  revoke: operation({
    summary: 'Revoke one of your personal API keys.',
    description: 'The service refuses the key from the next request on.',
    method: 'POST',
    path: '/v1/personnel/me/keys/{key_id}/revoke',
    scope: 'person',
    params: Type.Object({ key_id: id('key', 'The id of the key.') }),
    status: 200,
    response: Key,
    cache: 'none',
    example: {
      status: 'revoked',
      revoked_at: '2026-04-12T09:30:00.000Z',
      updated_at: '2026-04-12T09:30:00.000Z',
    },
    problems: ['not_found'],
    events: ['key.revoked'],
  }),
}
