import { Type, type Static } from 'typebox'

import { withExample } from '#contract/examples'
import {
  email,
  id,
  integer,
  list,
  nullable,
  openEnum,
  singleLine,
  timestamp,
} from '#contract/field-schemas'
import { Actor } from '#contract/history'
import { limits } from '#contract/limits'
import { Key } from '#contract/nouns/keys/key'
import { type Quota, quotas } from '#contract/registry'
import { roleNames } from '#contract/roles'
import { scopes } from '#contract/scopes'

import { sessionMethods } from './sessions.ts'

const quotaCount = (quota: Quota, example: number) =>
  integer(0, Number.MAX_SAFE_INTEGER, { description: quotas[quota].description, example })

// The cast holds because these are the keys of `quotas`.
const forEachQuota = <T>(count: (quota: Quota) => T) =>
  Object.fromEntries((Object.keys(quotas) as Quota[]).map((quota) => [quota, count(quota)])) as {
    readonly [Q in Quota]: T
  }

export const Whoami = withExample(
  Type.Object(
    {
      principal: Actor,
      scopes: list(
        openEnum(scopes, { description: 'A scope.', example: 'personnel.read' }),
        scopes.length,
        'What you may do: the scopes of the key, or of your roles. For a personal key, those in both.',
      ),
      roles: list(
        openEnum(roleNames, { description: 'A role.', example: 'contributor' }),
        roleNames.length,
        'The roles of the person, sorted by rights. Empty for a service key.',
      ),
      key: nullable(Key),
      person: nullable(
        Type.Object(
          {
            user_id: id('usr', 'The id of the person.'),
            name: singleLine(200, {
              description: 'The name of the person.',
              example: 'Mara Lindqvist',
            }),
            email: nullable(
              email({
                description: 'The email of the person.',
                example: 'mara.lindqvist@example.com',
              }),
            ),
          },
          { description: 'The person who is signed in, or of the personal key. Null otherwise.' },
        ),
      ),
      session: nullable(
        Type.Object(
          {
            id: id('ses', 'The id of the session.'),
            method: openEnum(sessionMethods, {
              description: 'How the session was started.',
              example: 'passkey',
            }),
            authenticated_at: timestamp({
              description:
                'When the principal last proved who they are. With an identity provider: when ' +
                'they authenticated there, or 10 minutes before the session if it does not say.',
              example: '2026-03-01T08:00:00.000Z',
            }),
          },
          { description: 'The session of the request. Null for a key in the request.' },
        ),
      ),
      previous_visit_at: nullable(
        timestamp({
          description:
            'When the person who is signed in last used the service before this session. Null for ' +
            'a first visit, and for keys.',
          example: '2026-02-27T16:40:00.000Z',
        }),
      ),
      workspace: Type.Object(
        {
          id: id('wsp', 'The id of the workspace.'),
          name: singleLine(100, { description: 'The name of the organisation.', example: 'Acme' }),
          time_zone: singleLine(64, {
            description: 'The IANA time zone in which dates become overdue at midnight.',
            example: 'Europe/Stockholm',
          }),
        },
        { description: 'The workspace of the principal, who has no access to any other.' },
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
          batch_projects_max: integer(1, Number.MAX_SAFE_INTEGER, {
            description: 'The maximum number of projects of the rows of a batch.',
            example: limits.projectsMax,
          }),
          complete_streams: integer(1, 1000, {
            description: 'The maximum number of concurrent complete lists per key.',
            example: limits.completeStreamsPerKey,
          }),
          large_bodies: integer(1, 1000, {
            description:
              'The maximum number of concurrent requests per key with a body above ' +
              '`body_bytes_max`.',
            example: limits.largeBodiesPerKey,
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
          quota: Type.Object(
            forEachQuota((quota) => quotaCount(quota, limits.quota[quota])),
            { title: 'Quota', description: 'The quotas of the workspace.' },
          ),
        },
        { description: 'The limits in force.' },
      ),
      usage: Type.Object(
        forEachQuota((quota) => nullable(quotaCount(quota, quotas[quota].used))),
        {
          title: 'Usage',
          description:
            'The current counts of the workspace. Each is null unless you have `workspace.read`, ' +
            'or you may list all items that it counts.',
        },
      ),
    },
    {
      title: 'Whoami',
      description: 'The principal, their workspace, their limits and the usage.',
    },
  ),
  { person: null, roles: [], session: null, previous_visit_at: null },
)
export type Whoami = Static<typeof Whoami>
