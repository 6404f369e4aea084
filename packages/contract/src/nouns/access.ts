import { Type, type Static } from 'typebox'

import {
  booleanField,
  closedEnum,
  id,
  list,
  nullable,
  openEnum,
  sequenceNumber,
  singleLine,
  timestamp,
} from '#contract/field-schemas'
import { Actor } from '#contract/history'
import { limits } from '#contract/limits'
import { operation } from '#contract/operation'
import { growthProblems } from '#contract/problems/operation-problems'
import { roleNames } from '#contract/roles'
import { scopes } from '#contract/scopes'

export const Role = Type.Object(
  {
    name: openEnum(roleNames, { description: 'The name of the role.', example: 'contributor' }),
    description: singleLine(200, {
      description: 'What the role is for.',
      example: 'Works on projects: risks, issues and tasks.',
    }),
    scopes: list(
      openEnum(scopes, { description: 'A scope.', example: 'projects.manage' }),
      scopes.length,
      'The scopes of the role. A `.manage` scope includes its `.read` scope.',
    ),
    may_exceed_appetite: booleanField({
      description:
        'Whether the role may accept risks above the appetite of their project, and change the ' +
        '`risk_appetite` of a project.',
      example: false,
    }),
  },
  { title: 'Role', description: 'A role. The four roles are fixed.' },
)
export type Role = Static<typeof Role>

const RoleList = Type.Object(
  { data: Type.Array(Role, { description: 'The roles, from the fewest rights to the most.' }) },
  { title: 'RoleList', description: 'All roles.' },
)

const subject = {
  user_id: nullable(id('usr', 'The person who has the role. Null for a group.')),
  group_id: nullable(id('grp', 'The group whose members have the role. Null for a person.')),
}

export const identityFields = ['email', 'external_id'] as const
export type IdentityField = (typeof identityFields)[number]

export const IdentityChange = Type.Object(
  {
    fields: list(
      openEnum(identityFields, { description: 'A field.', example: 'email' }),
      identityFields.length,
      'The fields that were changed. Empty if an earlier release recorded the change.',
    ),
    changed_by: nullable(Actor),
    changed_at: timestamp({
      description: 'When the last of them was changed.',
      example: '2026-10-15T13:00:00.000Z',
    }),
  },
  {
    description:
      'A change of the email or external id of the person by someone who lacks some right, and ' +
      'which no one with every right has confirmed.',
  },
)
export type IdentityChange = Static<typeof IdentityChange>

const AccessEntry = Type.Object(
  {
    role: openEnum(roleNames, { description: 'The role.', example: 'contributor' }),
    ...subject,
    is_granting: booleanField({
      description: 'Whether the entry gives its role. False while the group is archived.',
      example: true,
    }),
    identity_change: nullable(IdentityChange),
  },
  { description: 'A role of a person or a group.' },
)
export type AccessEntry = Static<typeof AccessEntry>

export const AccessList = Type.Object(
  {
    as_of: sequenceNumber({
      description: 'The sequence number of the last change of the list.',
      example: 4711,
    }),
    entries: Type.Array(AccessEntry, {
      description:
        'The roles of people and groups, in order of creation. A person has the rights of all ' +
        'roles of their own entry and of their groups.',
    }),
  },
  {
    title: 'AccessList',
    description: 'Who can do what.',
    examples: [
      {
        as_of: 4711,
        entries: [
          {
            role: 'contributor',
            user_id: 'usr_01ktrr9d3hen4v9q9t9m2g8x5c',
            group_id: null,
            is_granting: true,
            identity_change: null,
          },
        ],
      },
    ],
  },
)
export type AccessList = Static<typeof AccessList>

export const NewAccessList = Type.Object(
  {
    as_of: Type.Optional(
      sequenceNumber({
        description:
          'The `as_of` of the list that you read. The request is refused if the list has changed.',
        example: 4711,
      }),
    ),
    entries: Type.Array(
      Type.Object(
        {
          role: closedEnum(roleNames, { description: 'The role.', example: 'contributor' }),
          user_id: Type.Optional(subject.user_id),
          group_id: Type.Optional(subject.group_id),
          is_granting: Type.Optional(
            booleanField({ description: 'Read-only and ignored.', example: true }),
          ),
          identity_change: Type.Optional(nullable(IdentityChange)),
        },
        {
          additionalProperties: false,
          description: 'A role of a person or a group. Exactly one of both ids is set.',
        },
      ),
      {
        maxItems: limits.accessEntriesMax,
        description: 'The complete list: entries that it lacks are removed.',
      },
    ),
  },
  {
    additionalProperties: false,
    title: 'NewAccessList',
    description: 'The roles of people and groups.',
    examples: [{ entries: [{ role: 'contributor', user_id: 'usr_01ktrr9d3hen4v9q9t9m2g8x5c' }] }],
  },
)
export type NewAccessList = Static<typeof NewAccessList>

export const access = {
  roles: operation({
    summary: 'List the roles.',
    description: 'Returns the four roles with their scopes. Roles are fixed.',
    method: 'GET',
    path: '/v1/roles',
    scope: 'any_principal',
    status: 200,
    response: RoleList,
    cache: 'revision',
    problems: [],
  }),

  view: operation({
    summary: 'View who has which role.',
    description: 'Returns the roles of people and groups.',
    method: 'GET',
    path: '/v1/access',
    scope: 'workspace.manage',
    status: 200,
    response: AccessList,
    cache: 'collection',
    collection: 'access',
    problems: [],
  }),

  replace: operation({
    summary: 'Replace the roles of people and groups.',
    description:
      'Replaces the complete list. Send the `as_of` that you read, so that two administrators do ' +
      'not overwrite each other. You need every right of each entry that is new or has another ' +
      'role. In a session, an entry that gives more rights needs a recent sign-in. Removing an ' +
      'entry needs no further right. A person whose email or external id was changed by someone ' +
      'with fewer rights gets no right that they lack: confirm the change first.',
    method: 'PUT',
    path: '/v1/access',
    scope: 'workspace.manage',
    body: NewAccessList,
    status: 200,
    response: AccessList,
    cache: 'none',
    problems: [...growthProblems, 'last_admin', 'version_mismatch'],
    events: ['access.updated'],
  }),
}
