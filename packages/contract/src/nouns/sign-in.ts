import { Type, type Static } from 'typebox'

import {
  auditFields,
  booleanField,
  closedEnum,
  id,
  list,
  nullable,
  openEnum,
  singleLine,
} from '#contract/field-schemas'
import { createSchema } from '#contract/input-schemas'
import { Person } from '#contract/nouns/personnel/person'
import { operation } from '#contract/operation'

const matches = ['external_id', 'email'] as const
const firstSignIns = ['refuse', 'reader'] as const

const domain = Type.String({
  minLength: 3,
  maxLength: 253,
  pattern: '^[a-z0-9](?:[a-z0-9-]{0,62})(?:\\.[a-z0-9-]{1,63})+$',
  description: 'A domain in lower case.',
  examples: ['example.com'],
})

const fields = {
  issuer: Type.String({
    minLength: 10,
    maxLength: 300,
    pattern: '^https://[^\\s?#]+$',
    description: 'The issuer of the identity provider, without `/.well-known/…`.',
    examples: ['https://id.example.com/realms/acme'],
  }),
  client_id: singleLine(200, {
    description: 'The client id that the provider gave to this service.',
    example: 'muster',
  }),
  allowed_domains: {
    ...list(
      domain,
      20,
      'Only accounts whose email is in one of these domains may sign in. Empty: any domain.',
    ),
    uniqueItems: true,
  },
}
const matchAbout = {
  description:
    'How an account finds its person at the first sign-in: by the claim `external_id`, or by ' +
    'the verified email. Afterwards the account itself is bound to the person.',
  example: 'email',
} as const
const firstAbout = {
  description:
    'A person without a role who signs in for the first time: refuse them, or give them the ' +
    'role `reader`.',
  example: 'refuse',
} as const

const Provider = Type.Object(
  {
    ...fields,
    match: openEnum(matches, matchAbout),
    first_sign_in: openEnum(firstSignIns, firstAbout),
    ...auditFields('the settings'),
  },
  { description: 'The identity provider. Its client secret is never returned.' },
)

export const SignInSettings = Type.Object(
  {
    redirect_uri: singleLine(400, {
      description: 'The redirect URI to register at the identity provider.',
      example: 'https://muster.example.com/sign-in/wsp_01ktrr9d3hen4v9q9t9m2g8x5c/oidc/callback',
    }),
    sign_in_url: singleLine(400, {
      description: 'The address of the sign-in page of this workspace.',
      example: 'https://muster.example.com/sign-in/wsp_01ktrr9d3hen4v9q9t9m2g8x5c',
    }),
    provider: nullable(Provider),
  },
  { title: 'SignInSettings', description: 'How people sign in to this workspace.' },
)
export type SignInSettings = Static<typeof SignInSettings>

export const NewSignInSettings = createSchema(
  {
    ...fields,
    match: closedEnum(matches, matchAbout),
    first_sign_in: closedEnum(firstSignIns, firstAbout),
  },
  {
    client_secret: singleLine(500, {
      description: 'The client secret. Without it, the stored one is kept.',
      example: 'q7ZpQ2s9XbV4nM8kT1wY6cH3',
    }),
  },
  {
    title: 'NewSignInSettings',
    description: 'The identity provider of the workspace.',
    example: {
      issuer: 'https://id.example.com/realms/acme',
      client_id: 'muster',
      client_secret: 'q7ZpQ2s9XbV4nM8kT1wY6cH3',
      match: 'email',
      allowed_domains: ['example.com'],
      first_sign_in: 'refuse',
    },
  },
)
export type NewSignInSettings = Static<typeof NewSignInSettings>

const SignInCheck = createSchema(
  { issuer: fields.issuer },
  {},
  {
    title: 'SignInCheck',
    description: 'An identity provider to check before it is set.',
    example: { issuer: 'https://id.example.com/realms/acme' },
  },
)

export const SignInTest = Type.Object(
  {
    is_ok: booleanField({ description: 'Whether every check passed.', example: true }),
    checks: Type.Array(
      Type.Object(
        {
          name: singleLine(100, {
            description: 'What was checked.',
            example: 'The provider publishes its configuration.',
          }),
          is_ok: booleanField({ description: 'Whether the check passed.', example: true }),
          advice: nullable(
            singleLine(500, {
              description:
                'What to correct, when the check failed. When it passed: what the test cannot know.',
              example: 'The issuer in the configuration differs. Use that value.',
            }),
          ),
        },
        { description: 'One check.' },
      ),
      { description: 'The checks, in order. Those after a failure are left out.' },
    ),
  },
  {
    title: 'SignInTest',
    description: 'The result of a test of the identity provider.',
    examples: [
      {
        is_ok: true,
        checks: [{ name: 'The provider publishes its configuration.', is_ok: true, advice: null }],
      },
    ],
  },
)
export type SignInTest = Static<typeof SignInTest>

const path = '/v1/workspace/sign-in'

export const sign_in = {
  view: operation({
    summary: 'View how people sign in.',
    description: 'Returns the identity provider and the addresses to register there.',
    method: 'GET',
    path,
    scope: 'workspace.manage',
    status: 200,
    response: SignInSettings,
    cache: 'none',
    problems: [],
  }),

  replace: operation({
    summary: 'Set the identity provider.',
    description:
      'Needs every scope, because the provider decides who signs in as whom. A new issuer ends ' +
      'the binding of all accounts to people, and the sessions that were started at the old one.',
    method: 'PUT',
    path,
    scope: 'workspace.manage',
    session: 'recent',
    body: NewSignInSettings,
    status: 200,
    response: SignInSettings,
    cache: 'none',
    problems: ['beyond_your_rights', 'secrets_not_configured'],
    events: ['sign_in.updated'],
  }),

  remove: operation({
    summary: 'Remove the identity provider.',
    description:
      'Needs every scope. Afterwards people sign in with links and passkeys. The accounts are ' +
      'no longer bound to people, and the sessions that were started at the provider end.',
    method: 'DELETE',
    path,
    scope: 'workspace.manage',
    session: 'recent',
    status: 200,
    response: SignInSettings,
    cache: 'none',
    example: { provider: null },
    problems: ['beyond_your_rights', 'no_administrator_sign_in'],
    events: ['sign_in.removed'],
  }),

  test: operation({
    summary: 'Test the identity provider.',
    description:
      'Reads the configuration and the signing keys of the stored provider, and says what to ' +
      'correct. It signs no person in. At most two tests of a workspace run at once.',
    method: 'POST',
    path: '/v1/workspace/sign-in/test',
    scope: 'workspace.manage',
    status: 200,
    response: SignInTest,
    cache: 'none',
    problems: ['not_found', 'too_many_sign_in_tests'],
  }),

  check: operation({
    summary: 'Check an identity provider before it is set.',
    description:
      'Reads the configuration and the signing keys of an issuer, and says what to correct. It ' +
      'stores nothing. Needs every scope, as setting the provider does. Only a sign-in shows ' +
      'whether the client id and the client secret are right. At most two tests of a workspace ' +
      'run at once.',
    method: 'POST',
    path: '/v1/workspace/sign-in/check',
    scope: 'workspace.manage',
    session: 'recent',
    body: SignInCheck,
    status: 200,
    response: SignInTest,
    cache: 'none',
    problems: ['beyond_your_rights', 'too_many_sign_in_tests'],
  }),

  confirm: operation({
    summary: 'Confirm the identity of a person.',
    description:
      'After someone changed the email or external id of a person, the person gets no right that ' +
      'this someone lacks, and the identity provider cannot bind a person who has such a right. ' +
      'A confirmation allows the rights that you have. You need every right of the person. If an ' +
      'account was bound to the person since the change, the confirmation ends their sessions, ' +
      'links, passkeys, personal keys and this binding. Their own account is bound again when ' +
      'they sign in.',
    method: 'POST',
    path: '/v1/personnel/{user_id}/confirm-identity',
    scope: 'workspace.manage',
    session: 'recent',
    params: Type.Object({ user_id: id('usr', 'The id of the person.') }),
    status: 200,
    response: Person,
    cache: 'none',
    problems: ['not_found', 'beyond_your_rights'],
    events: ['key.revoked', 'person.identity_confirmed'],
  }),
}
