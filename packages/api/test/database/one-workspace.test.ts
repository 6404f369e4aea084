import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

/**
 * Checks every statement of queries.sql: it names its workspace for each tenant table, or it is in
 * the list below. So the rows of workspaces can be on different servers.
 */
const read = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8')
const statements = read('queries.sql')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('--'))
const tables = Array.from(
  read('schema.sql').matchAll(/^create table (\w+) \(\n {2}workspace_id uuid not null/gm),
  ([, name = '']) => name,
)
assert.ok(tables.length > 20, `${tables.length} tenant tables`)
const tenantTable = `"?(?:${tables.join('|')})\\b`

/** The only statements that read rows of more than one workspace. */
const acrossWorkspaces = [
  // Authentication: the credential determines the workspace.
  'from authenticate_keys($1, $2, $3, true);',
  'from authenticate_sessions($1, $2, $3, true);',
  // The worker: the ids of workspaces whose sweep is due.
  'from due_workspaces(',
  // Requests that wait for events: the last number of each of their workspaces.
  'from changed_workspaces(',
  // The sign-in page: the id of the workspace, if the database has exactly one.
  'select only_workspace() as id;',
  // Commands of an administrator: find by name, find the only one, list.
  'select "id" from "workspaces" where "name" = $1 order by "id" limit $2;',
  'select "id" from "workspaces" order by "id" limit $1;',
  'select "id", "name", "slug", "status", "created_at" from "workspaces" order by "id";',
]

const countOf = (text: string, pattern: string) => text.match(new RegExp(pattern, 'g'))?.length ?? 0

/** Why a statement may see rows of another workspace; null when it cannot. */
function fault(statement: string): string | null {
  const sources = countOf(statement, `\\b(?:from|join|update|using)\\s+${tenantTable}`)
  const conditions = countOf(statement, 'workspace_id"? = (?:\\$|")')
  if (conditions < sources) return `${sources} tenant tables, ${conditions} conditions`
  const inserts = countOf(statement, `insert into ${tenantTable}`)
  const named = countOf(statement, `insert into ${tenantTable}[^)]*workspace_id`)
  if (named < inserts) return 'an insert without workspace_id'
  const isWorkspaces = /\b(?:from|join|update)\s+"?workspaces\b/.test(statement)
  if (isWorkspaces && !/\bid"? = (?:\$|"workspace_counters"\."workspace_id")/.test(statement))
    return 'workspaces without an id'
  const called = Array.from(statement.matchAll(/\b(\w+)\(/g), ([, name = '']) => name)
  const isDefiner = called.some((name) =>
    /^(?:authenticate_keys|authenticate_sessions|changed_workspaces|due_workspaces|only_workspace)$/.test(
      name,
    ),
  )
  return isDefiner ? 'a security definer function' : null
}

test('every statement names its workspace, except those in the list', (t) => {
  const found = statements.filter((statement) => fault(statement) !== null)
  const unlisted = found.filter((each) => !acrossWorkspaces.some((text) => each.includes(text)))
  assert.deepEqual(unlisted, [])
  assert.equal(found.length, acrossWorkspaces.length, 'each entry of the list is in use')
  t.diagnostic(`${statements.length} statements, ${found.length} across workspaces`)
})

test('a statement without its workspace is found', () => {
  for (const [statement, reason] of [
    ['select "id" from "people" where "id" = $1;', '1 tenant tables, 0 conditions'],
    [
      'select r.id from risks as r join people as p on p.id = r.owner where r.workspace_id = $1;',
      '2 tenant tables, 1 conditions',
    ],
    ['insert into "people" ("id", "name") values ($1, $2);', 'an insert without workspace_id'],
    ['select "name" from "workspaces" where "status" = $1;', 'workspaces without an id'],
    ['select id from due_workspaces($1);', 'a security definer function'],
  ] as const) {
    assert.equal(fault(statement), reason, statement)
  }
  assert.equal(fault('select "id" from "people" where "workspace_id" = $1;'), null)
})
