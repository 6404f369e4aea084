import { Type, type Static } from 'typebox'

import {
  booleanField,
  id,
  nullable,
  openEnum,
  singleLine,
  timestamp,
} from '#contract/field-schemas'
import { operation } from '#contract/operation'

export const sessionMethods = ['key', 'link', 'passkey', 'oidc'] as const

export const Session = Type.Object(
  {
    id: id('ses', 'The id of the session. Not a secret.'),
    user_id: id('usr', 'The person who is signed in.'),
    method: openEnum(sessionMethods, {
      description: 'How the person signed in: by link, passkey or identity provider.',
      example: 'passkey',
    }),
    is_current: booleanField({
      description: 'Whether it is the session of this request.',
      example: true,
    }),
    network: nullable(
      singleLine(49, {
        description: 'The network of the sign-in: the truncated IP address.',
        example: '203.0.113.0/24',
      }),
    ),
    user_agent: nullable(
      singleLine(200, {
        description: 'The browser at sign-in, as its User-Agent header names it.',
        example: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/150.0',
      }),
    ),
    authenticated_at: timestamp({
      description:
        'When the person last proved who they are. With an identity provider: when they ' +
        'authenticated there, or 10 minutes before the session if it does not say.',
      example: '2026-03-01T08:00:00.000Z',
    }),
    last_used_at: nullable(
      timestamp({
        description: 'When the session was last used, accurate to one minute.',
        example: '2026-03-01T08:30:00.000Z',
      }),
    ),
    created_at: timestamp({
      description: 'When the session started.',
      example: '2026-03-01T08:00:00.000Z',
    }),
    expires_at: timestamp({
      description: 'When the session ends by itself.',
      example: '2026-03-08T08:00:00.000Z',
    }),
    idle_expires_at: timestamp({
      description:
        'When the session ends if it is not used until then: the policy `session_idle_hours` of ' +
        'the workspace after its last use.',
      example: '2026-03-04T08:30:00.000Z',
    }),
  },
  { title: 'Session', description: 'A browser in which a person is signed in.' },
)
export type Session = Static<typeof Session>

export const SessionList = Type.Object(
  { data: Type.Array(Session, { description: 'The sessions, newest first.' }) },
  { title: 'SessionList', description: 'The sessions of one person.' },
)
export type SessionList = Static<typeof SessionList>

const personParams = Type.Object({ user_id: id('usr', 'The id of the person.') })

export const sessions = {
  list: operation({
    summary: 'List your own sessions.',
    description: 'Returns the browsers in which you are signed in.',
    method: 'GET',
    path: '/v1/sessions',
    scope: 'person',
    status: 200,
    response: SessionList,
    cache: 'none',
    problems: [],
  }),

  end: operation({
    summary: 'End one of your own sessions.',
    description: 'The next request of that browser is refused. Returns the remaining sessions.',
    method: 'DELETE',
    path: '/v1/sessions/{session_id}',
    scope: 'person',
    params: Type.Object({ session_id: id('ses', 'The id of the session.') }),
    status: 200,
    response: SessionList,
    cache: 'none',
    example: { data: [] },
    problems: ['not_found'],
  }),

  list_of_person: operation({
    summary: 'List the sessions of a person.',
    description: 'Returns the browsers in which the person is signed in.',
    method: 'GET',
    path: '/v1/personnel/{user_id}/sessions',
    scope: 'workspace.manage',
    params: personParams,
    status: 200,
    response: SessionList,
    cache: 'none',
    example: { data: [] },
    problems: ['not_found'],
  }),

  end_of_person: operation({
    summary: 'End all sessions of a person.',
    description:
      'The next request of each browser of the person is refused. Personal keys stay valid; ' +
      'suspend the person to refuse those too.',
    method: 'POST',
    path: '/v1/personnel/{user_id}/end-sessions',
    scope: 'workspace.manage',
    params: personParams,
    status: 200,
    response: SessionList,
    cache: 'none',
    example: { data: [] },
    problems: ['not_found'],
  }),
}
