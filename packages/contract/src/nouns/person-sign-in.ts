import { Type, type Static } from 'typebox'

import { id, nullable, singleLine, timestamp } from '#contract/field-schemas'
import { operation } from '#contract/operation'

import { PasskeyList } from './passkeys.ts'

const Identity = Type.Object(
  {
    issuer: singleLine(300, {
      description: 'The issuer of the identity provider.',
      example: 'https://id.example.com/realms/acme',
    }),
    subject: singleLine(255, {
      description: 'The account at the provider: the claim `sub`.',
      example: '248289761001',
    }),
    created_at: timestamp({
      description: 'When the account was bound to the person.',
      example: '2026-02-12T09:30:00.000Z',
    }),
    last_used_at: nullable(
      timestamp({
        description: 'When the account last signed in. Null: not since this is recorded.',
        example: '2026-03-01T08:00:00.000Z',
      }),
    ),
  },
  { description: 'The account at the identity provider that is bound to the person.' },
)

export const PersonSignIn = Type.Object(
  {
    user_id: id('usr', 'The id of the person.'),
    identity: nullable(Identity),
    passkeys: PasskeyList.properties.data,
  },
  {
    title: 'PersonSignIn',
    description: 'With what a person signs in. No secret is stored or returned.',
  },
)
export type PersonSignIn = Static<typeof PersonSignIn>

const path = '/v1/personnel/{user_id}/sign-in'
const person = { user_id: id('usr', 'The id of the person.') }

export const person_sign_in = {
  view: operation({
    summary: 'View with what a person signs in.',
    description: 'Returns the account at the identity provider and the passkeys of the person.',
    method: 'GET',
    path,
    scope: 'workspace.manage',
    params: Type.Object(person),
    status: 200,
    response: PersonSignIn,
    cache: 'none',
    example: { identity: null, passkeys: [] },
    problems: ['not_found'],
  }),

  remove_identity: operation({
    summary: 'Remove the account of a person at the identity provider.',
    description:
      'You need every right of the person. Ends the sessions that the person started at the ' +
      'provider. First correct the email or the external id: an account that still matches the ' +
      'person is bound again at its next sign-in.',
    method: 'DELETE',
    path: `${path}/identity`,
    scope: 'workspace.manage',
    session: 'recent',
    params: Type.Object(person),
    status: 200,
    response: PersonSignIn,
    cache: 'none',
    example: { identity: null, passkeys: [] },
    problems: ['not_found', 'beyond_your_rights'],
  }),

  remove_passkey: operation({
    summary: 'Remove a passkey of a person.',
    description:
      'You need every right of the person. Ends the sessions that the person started with a ' +
      'passkey.',
    method: 'DELETE',
    path: `${path}/passkeys/{passkey_id}`,
    scope: 'workspace.manage',
    session: 'recent',
    params: Type.Object({ ...person, passkey_id: id('psk', 'The id of the passkey.') }),
    status: 200,
    response: PersonSignIn,
    cache: 'none',
    example: { identity: null, passkeys: [] },
    problems: ['not_found', 'beyond_your_rights'],
  }),
}
