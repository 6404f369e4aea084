import assert from 'node:assert/strict'
import { test } from 'node:test'

import { atEnd } from '@muster/testing/at-end'

import { readGrants } from '#storage/inspect/grants'
import { migrate } from '#storage/migration/migrate'
import { readMigrations } from '#storage/migration/migrations'
import { connect, createDatabase, createEmptyDatabase } from '#test/support/database'

import { doctor } from './doctor.ts'

const url = await createDatabase()
const sql = await connect(url)
atEnd(() => sql.end())
await sql.query(`alter database ${new URL(url).pathname.slice(1)} reset synchronous_commit`)
const run = () => doctor({ DATABASE_URL: url })

/** Runs `doctor` after a statement, and undoes it. */
async function runAfter(breach: string, undo: string) {
  await sql.query(breach)
  try {
    return await run()
  } finally {
    await sql.query(undo)
  }
}

test('reports missing and unknown migrations', async () => {
  const old = await createEmptyDatabase()
  const empty = await doctor({ DATABASE_URL: old })
  assert.equal(empty.code, 1)
  assert.match(empty.seen('migrations').join(), /^error: .+ lacks the migrations 0001_workspaces, /)
  assert.match(empty.seen('row-level-security').join(), /^error: There is no tenant table\. →/)
  assert.deepEqual(empty.seen('jobs'), [
    'error: The tables of background jobs are missing. → Run: npm run migrate',
  ])
  await migrate(old, { last: '0007_jobs' })
  const behind = await doctor({ DATABASE_URL: old })
  assert.equal(behind.code, 1)
  const later = (await readMigrations()).map(({ name }) => name).filter((name) => name > '0008')
  assert.deepEqual(behind.seen('migrations'), [
    `error: The database lacks the migrations ${later.join(', ')}. → Run: npm run migrate`,
  ])
  const [added, removed] = ['9999_next', '0000_other'].map((each) => ({
    insert: `insert into kysely_migration values ('${each}', '2026')`,
    undo: `delete from kysely_migration where name = '${each}'`,
  }))
  const newer = await runAfter(added?.insert ?? '', added?.undo ?? '')
  assert.equal(newer.code, 0)
  assert.match(
    newer.seen('migrations').join(),
    /^warning: .+ does not: 9999_next\. → Install the release that added them/,
  )
  const other = await runAfter(removed?.insert ?? '', removed?.undo ?? '')
  assert.equal(other.code, 1)
  assert.match(other.seen('migrations').join(), /^error: .+ 0000_other\. → Check that DATABASE_URL/)
})

const isolation = 'create policy workspace_isolation'
const own = `workspace_id = current_setting('app.ws')::uuid`
const breaches: [check: string, breach: string, undo: string, line: string][] = [
  [
    'row-level-security',
    'alter table people disable row level security',
    'alter table people enable row level security',
    'error: Row level security is off on people. → ' +
      'Run as a superuser: alter table muster.people enable row level security',
  ],
  [
    'row-level-security',
    'alter table risks no force row level security; alter table tasks no force row level security',
    'alter table risks force row level security; alter table tasks force row level security',
    'error: Row level security is not forced on the owner of risks, tasks. → For each table, ' +
      'run as a superuser: alter table muster.risks force row level security',
  ],
  [
    'row-level-security',
    'drop policy workspace_isolation on issues',
    `${isolation} on issues using (${own}) with check (${own})`,
    'error: The policy workspace_isolation is missing on issues. → ' +
      `Run as a superuser: ${isolation} on muster.issues using (${own}) with check (${own})`,
  ],
  [
    'row-level-security',
    'create policy open on people using (true)',
    'drop policy open on people',
    'error: Another policy shows rows of other workspaces on people. → ' +
      'Run as a superuser: drop policy open on muster.people',
  ],
  [
    'row-level-security',
    'alter table groups owner to current_user',
    'alter table groups owner to muster_owner',
    'error: muster_owner does not own groups. → ' +
      'Run as a superuser: alter table muster.groups owner to muster_owner',
  ],
  [
    'grants',
    'revoke insert on people from muster_app',
    'grant insert on people to muster_app',
    'error: Missing: insert on muster.people to muster_app. → ' +
      'Run as muster_owner: grant insert on muster.people to muster_app',
  ],
  [
    'grants',
    'revoke select (epoch) on cluster from muster_auth',
    'grant select (epoch) on cluster to muster_auth',
    'error: Missing: select (epoch) on muster.cluster to muster_auth. → ' +
      'Run as muster_owner: grant select (epoch) on muster.cluster to muster_auth',
  ],
  [
    'grants',
    'revoke execute on function only_workspace() from muster_app',
    'grant execute on function only_workspace() to muster_app',
    'error: Missing: execute on function muster.only_workspace() to muster_app. → ' +
      'Run as muster_owner: grant execute on function muster.only_workspace() to muster_app',
  ],
  [
    'grants',
    'revoke usage on schema muster from muster_app',
    'grant usage on schema muster to muster_app',
    'error: Missing: usage on schema muster to muster_app. → ' +
      'Run as muster_owner: grant usage on schema muster to muster_app',
  ],
]

test('reports tables without row level security, and missing privileges', async () => {
  const statements = (index: 1 | 2) => breaches.map((each) => each[index]).join('; ')
  const { code, seen } = await runAfter(statements(1), statements(2))
  assert.equal(code, 1)
  for (const check of ['row-level-security', 'grants']) {
    const lines = breaches.filter(([each]) => each === check).map((each) => each[3])
    assert.deepEqual(seen(check).toSorted(), lines.toSorted())
  }
})

test('checks every privilege that the migrations grant', async () => {
  const granted = (await readGrants()).map(
    ({ role, privilege, object, column }) => `${role} ${privilege} ${object} ${column ?? ''}`,
  )
  const { rows } = await sql.query<{ grant: string }>(`
    select distinct a.grantee::regrole || ' ' || lower(a.privilege_type) || ' ' || object || ' '
      || coalesce(of_column, '') as grant
    from (
      select relname as object, null as of_column, relacl as acl, relnamespace as schema
      from pg_class
      union all
      select c.relname, a.attname, a.attacl, c.relnamespace
      from pg_attribute a join pg_class c on c.oid = a.attrelid
      union all
      select proname, null, proacl, pronamespace from pg_proc where proowner <> 0
    ) as objects, aclexplode(acl) as a
    where schema = 'muster'::regnamespace
      and a.grantee::regrole::text in ('muster_app', 'muster_auth', 'muster_owner')
      and a.grantee <> a.grantor`)
  assert.deepEqual(granted.toSorted(), rows.map(({ grant }) => grant).toSorted())
})
