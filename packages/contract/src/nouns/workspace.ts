import { Type, type Static } from 'typebox'

import {
  auditFields,
  closedEnum,
  id,
  integer,
  list,
  nullable,
  openEnum,
  singleLine,
  slug,
} from '#contract/field-schemas'
import { patchSchema } from '#contract/input-schemas'
import { limits } from '#contract/limits'
import { operation } from '#contract/operation'

/** The ways to sign in to the console that a workspace can allow. */
export const signInMethods = ['passkey', 'provider', 'link', 'key'] as const
export type SignInMethod = (typeof signInMethods)[number]

const methodAbout = {
  description:
    'A way to sign in to the console: a passkey, the identity provider, a one-time link, or an ' +
    'API key.',
  example: 'passkey',
} as const
const methodsAbout =
  'The ways in which people may sign in to the console. Without `link`, a one-time link only ' +
  'adds a passkey. API requests with a key are never affected.'

const policies = {
  key_days_max: nullable(
    integer(1, limits.keyDays.max, {
      description: 'The maximum lifetime of new and rotated keys, in days. Null: no maximum.',
      example: 90,
    }),
  ),
  session_days: integer(1, limits.sessionDays, {
    description: 'The lifetime of a console session, in days.',
    example: 1,
  }),
  session_idle_hours: integer(1, limits.sessionIdleHours.max, {
    description: 'A console session that was not used for this time has ended, in hours.',
    example: limits.sessionIdleHours.default,
  }),
  sign_in_methods: list(openEnum(signInMethods, methodAbout), signInMethods.length, methodsAbout),
}

const wantedMethods = {
  ...list(closedEnum(signInMethods, methodAbout), signInMethods.length, methodsAbout),
  minItems: 1,
  uniqueItems: true,
}

/** Words that are paths of the service, or that people could take for its operator. */
export const reservedSlugs: readonly string[] = [
  'about',
  'account',
  'admin',
  'administrator',
  'api',
  'console',
  'docs',
  'help',
  'muster',
  'new',
  'null',
  'operator',
  'root',
  'security',
  'session',
  'sign-in',
  'sign-out',
  'status',
  'support',
  'system',
  'undefined',
  'workspace',
  'workspaces',
]

const writable = {
  name: singleLine(100, { description: 'The name of the organisation.', example: 'Acme' }),
  time_zone: singleLine(64, {
    description: 'The IANA time zone in which dates become overdue at midnight.',
    example: 'Europe/Stockholm',
  }),
  slug: nullable(
    slug({
      description:
        'A short name for the address of the sign-in page, such as `/sign-in/acme`: lower-case ' +
        'letters, digits and single hyphens. It is unique in this service. Anyone can find out ' +
        'that it exists, and read the name of the workspace with it. Null: none.',
      example: 'acme',
    }),
  ),
}

export const Workspace = Type.Object(
  {
    id: id('wsp', 'The id of the workspace.'),
    ...writable,
    policies: Type.Object(policies, { description: 'The policies of the workspace.' }),
    ...auditFields('the workspace'),
  },
  { title: 'Workspace', description: 'The workspace of one organisation.' },
)
export type Workspace = Static<typeof Workspace>

export const WorkspacePatch = patchSchema(
  Workspace,
  {
    ...writable,
    policies: Type.Object(
      {
        key_days_max: Type.Optional(policies.key_days_max),
        session_days: Type.Optional(policies.session_days),
        session_idle_hours: Type.Optional(policies.session_idle_hours),
        sign_in_methods: Type.Optional(wantedMethods),
      },
      {
        additionalProperties: false,
        description: 'The policies to change. Omitted policies are unchanged.',
      },
    ),
  },
  {
    title: 'WorkspacePatch',
    description: 'A JSON merge patch.',
    example: { time_zone: 'Europe/Stockholm' },
  },
)
export type WorkspacePatch = Static<typeof WorkspacePatch>

export const workspace = {
  view: operation({
    summary: 'View the workspace.',
    description: 'Returns the workspace of the key.',
    method: 'GET',
    path: '/v1/workspace',
    scope: 'workspace.read',
    status: 200,
    response: Workspace,
    cache: 'version',
    problems: [],
  }),

  update: operation({
    summary: 'Update the workspace.',
    description:
      'Changes the name, the time zone, the slug or the policies. Omitted fields are unchanged. A ' +
      'new time zone updates the overdue flags within a minute. The previous slug is free at ' +
      'once, also for other workspaces. Policies apply to new keys and sessions; ' +
      '`session_idle_hours` applies at once. Methods of sign-in by which no administrator could ' +
      'sign in are refused. In a session, a policy that allows more needs a recent sign-in.',
    method: 'PATCH',
    path: '/v1/workspace',
    isMergePatch: true,
    scope: 'workspace.manage',
    body: WorkspacePatch,
    status: 200,
    response: Workspace,
    cache: 'version',
    problems: [
      'reauthentication_required',
      'read_only_field',
      'slug_taken',
      'too_many_slugs',
      'no_administrator_sign_in',
    ],
    events: ['workspace.updated'],
  }),
}
