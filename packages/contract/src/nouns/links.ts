import { Type, type Static } from 'typebox'

import { closedEnum, id, openEnum, singleLine, timestamp } from '#contract/field-schemas'
import { createSchema } from '#contract/input-schemas'
import { operation } from '#contract/operation'

export const linkPurposes = ['sign_in', 'invitation'] as const

export const SignInLink = Type.Object(
  {
    user_id: id('usr', 'The person who can sign in with the link.'),
    purpose: openEnum(linkPurposes, {
      description: 'A sign-in link is valid for 15 minutes, an invitation for 72 hours.',
      example: 'invitation',
    }),
    url: singleLine(400, {
      description:
        'The link. It works once. It is shown only in this response: the service stores its hash.',
      example:
        'https://muster.example.com/sign-in/wsp_01ktrr9d3hen4v9q9t9m2g8x5c#muster_link_01ktrr9d3hen4v9q9t9m2g8x5c_q7ZpQ2s9XbV4nM8kT1wY6cH3jL5dF0gR2xK9aB',
    }),
    expires_at: timestamp({
      description: 'When the link expires.',
      example: '2026-03-04T08:00:00.000Z',
    }),
  },
  { title: 'SignInLink', description: 'A one-time link with which a person signs in.' },
)
export type SignInLink = Static<typeof SignInLink>

export const NewSignInLink = createSchema(
  {
    purpose: closedEnum(linkPurposes, {
      description: 'A sign-in link is valid for 15 minutes, an invitation for 72 hours.',
      example: 'invitation',
    }),
  },
  {},
  { title: 'NewSignInLink', description: 'A link to create.', example: { purpose: 'invitation' } },
)
export type NewSignInLink = Static<typeof NewSignInLink>

export const links = {
  create: operation({
    summary: 'Create a one-time sign-in link for a person.',
    description:
      'Send the link to the person yourself. Anyone with the link can use it once, so you need ' +
      'every right of the person. A new link replaces earlier ones of the person. If the ' +
      'workspace does not allow sign-in by link, the link only adds a passkey.',
    method: 'POST',
    path: '/v1/personnel/{user_id}/sign-in-links',
    scope: 'workspace.manage',
    session: 'recent',
    params: Type.Object({ user_id: id('usr', 'The id of the person.') }),
    body: NewSignInLink,
    status: 201,
    response: SignInLink,
    cache: 'none',
    problems: [
      'not_found',
      'beyond_your_rights',
      'invalid_transition',
      'secret_not_replayable',
      'sign_in_method_not_allowed',
    ],
  }),
}
