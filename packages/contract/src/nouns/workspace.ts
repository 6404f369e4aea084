import { Type, type Static } from 'typebox'

import { id, integer, lifetime, line, nullable } from './fields.ts'
import { limits } from './limits.ts'
import { operation } from './operation.ts'
import { patchOf } from './patch.ts'

const policies = {
  key_days_max: nullable(
    integer(1, limits.keyDays.max, {
      description:
        'The longest life, in days, of a key that is made or rotated; null for any, also none.',
      example: 90,
    }),
  ),
  session_days: integer(1, limits.sessionDays, {
    description: 'For how many days whoever signs in to the console stays so.',
    example: 1,
  }),
}

const given = {
  name: line(100, { description: 'What the organisation is called.', example: 'Acme' }),
  time_zone: line(64, {
    description: 'Whose midnight makes a date overdue: a name of the IANA time zone database.',
    example: 'Europe/Stockholm',
  }),
}

export const Workspace = Type.Object(
  {
    id: id('wsp', 'The id of the workspace.'),
    ...given,
    policies: Type.Object(policies, { description: 'What holds for everyone in it.' }),
    ...lifetime('the workspace', 'made'),
  },
  { title: 'Workspace', description: 'One organisation, and all that it holds.' },
)
export type Workspace = Static<typeof Workspace>

export const WorkspacePatch = patchOf(
  Workspace,
  {
    ...given,
    policies: Type.Object(
      {
        key_days_max: Type.Optional(policies.key_days_max),
        session_days: Type.Optional(policies.session_days),
      },
      { additionalProperties: false, description: 'The policies to change; others stay.' },
    ),
  },
  {
    title: 'WorkspacePatch',
    description: 'What to change: a JSON merge patch.',
    example: { time_zone: 'Europe/Stockholm' },
  },
)
export type WorkspacePatch = Static<typeof WorkspacePatch>

export const workspace = {
  view: operation({
    summary: 'View the workspace.',
    description: 'The workspace that the key belongs to.',
    method: 'GET',
    path: '/v1/workspace',
    scope: 'workspace.read',
    status: 200,
    response: Workspace,
    cache: 'version',
    problems: [],
  }),

  update: operation({
    summary: 'Change the workspace: its name, its time zone, its policies.',
    description:
      'What is left out stays. With another time zone, what is overdue is found anew within a ' +
      'minute. A policy holds for keys and sessions that begin from now on.',
    method: 'PATCH',
    path: '/v1/workspace',
    scope: 'workspace.manage',
    body: WorkspacePatch,
    status: 200,
    response: Workspace,
    cache: 'version',
    problems: ['read_only_field'],
    events: ['workspace.updated'],
  }),
}
