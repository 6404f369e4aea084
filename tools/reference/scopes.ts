import { everyOperation, isList, type Scope, scopes } from '@muster/contract'

import { code, page, table } from './markdown.ts'

const allows: Readonly<Record<Scope, string>> = {
  'personnel.read': 'View people, groups and their members.',
  'personnel.manage': 'Add and change people, groups and group members. Includes `personnel.read`.',
  'projects.read': 'View projects, risks, issues, tasks and the assigned work of people.',
  'projects.manage':
    'Add and change projects, risks, issues and tasks, and reassign work. Includes `projects.read`.',
  'keys.read': 'View API keys, without their secrets.',
  'keys.manage':
    'Create, change, rotate and revoke API keys. Includes `keys.read`. A key grants only scopes ' +
    'that it holds itself.',
  'workspace.read': 'View the name, time zone and policies of the workspace, and the audit log.',
  'workspace.manage':
    'Change the workspace, the roles of people and how they sign in. Includes `workspace.read`.',
}

const operationsTable = (access: string) =>
  table(
    ['operation', 'request', 'summary'],
    everyOperation()
      .filter(({ operation }) => operation.scope === access)
      .map(({ name, operation: { method, path, summary } }) => [
        code(name),
        code(`${method} ${path}`),
        summary,
      ]),
  )

const extras = everyOperation().flatMap(({ name, operation }) =>
  isList(operation)
    ? Object.entries({ include: operation.includes, sort: operation.sorts }).flatMap(
        ([parameter, values]) =>
          Object.entries(values).map(([value, { scope }]) => [
            code(name),
            code(`${parameter}=${value}`),
            code(scope),
          ]),
      )
    : [],
)

const anchor = (scope: string) => `[${code(scope)}](#${scope.replace('.', '')})`

export const scopesPage = () =>
  page(
    '# Scopes',
    'The scopes of an API key determine what it may do. Scopes are set when a key is created and\n' +
      'cannot be changed. A person has the scopes of their roles. An operation without the required scope gets 403 `insufficient_scope`.',
    table(
      ['scope', 'allows'],
      scopes.map((scope) => [anchor(scope), allows[scope]]),
    ),
    ...scopes.flatMap((scope) => [
      `## ${scope}`,
      allows[scope],
      `These operations need ${code(scope)}:`,
      operationsTable(scope),
    ]),
    '## Any key or person',
    'These operations need a valid key or session and no scope:',
    operationsTable('any_principal'),
    '## People',
    'These operations are about the person who is signed in. They need a session of a person or a\n' +
      'personal key, and no scope. A service key gets 404 `not_a_person`:',
    operationsTable('person'),
    '## Extras of lists',
    'The parameter `include` adds data to a list, and `sort` changes its order. Both can need a\n' +
      'scope in addition to that of the list:',
    table(['operation', 'parameter', 'scope'], extras),
  )
