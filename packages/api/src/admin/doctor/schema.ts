import { type GrantState, readGrants, selectGrants } from '#storage/inspect/grants'
import {
  type RoleState,
  selectLogin,
  selectRoles,
  selectTableProtection,
  type TableProtection,
} from '#storage/inspect/roles'
import { roles } from '#storage/migration/migrate'
import { readMigrations } from '#storage/migration/migrations'
import { selectAppliedMigrations, selectSchemaProblem } from '#storage/migration/schema-check'

import { type Check, count, failure, type Finding, ok, warning } from './finding.ts'

const guide = 'docs/guides/self-host.md#database-roles'

/** Every migration of this release is applied as it is, and no other. */
export const migrations: Check = {
  name: 'migrations',
  as: 'owner',
  needs: 'muster_owner',
  run: async (db) => {
    const files = await readMigrations()
    const problem = await selectSchemaProblem(db, files)
    if (problem !== null) return [failure(problem.found, problem.next)]
    const known = files.map(({ name }) => name)
    const applied = await selectAppliedMigrations(db)
    const unknown = [...applied.keys()].filter((name) => !known.includes(name))
    if (unknown.length === 0) return [ok(`All ${known.length} migrations are applied.`)]
    const found = `The database has migrations that this release does not: ${unknown.join(', ')}.`
    const latest = known.at(-1) ?? ''
    if (unknown.some((name) => name < latest)) {
      return [failure(found, 'Check that DATABASE_URL is the database of Muster.')]
    }
    return [
      warning(found, 'Install the release that added them, unless an upgrade is in progress.'),
    ]
  },
}

/** The roles exist and have no more rights than they need. */
export const databaseRoles: Check = {
  name: 'roles',
  as: 'login',
  needs: 'select on pg_roles',
  run: async (db) => {
    const [states, login] = [await selectRoles(db, roles), await selectLogin(db)]
    const missing = roles.filter((role) => !states.some(({ name }) => name === role))
    const findings = states.flatMap(judgeRole)
    if (missing.length > 0) {
      const found = `The server lacks the roles ${missing.join(', ')}.`
      findings.push(failure(found, `Run: npm run migrate, or create them as in ${guide}`))
    } else if (!login.isOwner) {
      const found = `The user ${login.name} of DATABASE_URL may not act as muster_owner.`
      const next = `Set DATABASE_URL to the URL of the administrator, or run as a superuser: `
      findings.push(failure(found, `${next}grant muster_owner to ${login.name}`))
    }
    return findings.length > 0 ? findings : [ok(`${roles.join(', ')} exist with limited rights.`)]
  },
}

function judgeRole({ name, isSuperuser, bypassesRowSecurity, memberOf }: RoleState): Finding[] {
  const findings: Finding[] = []
  const revoke = (right: string) => `Run as a superuser: alter role ${name} ${right}`
  if (isSuperuser) findings.push(failure(`${name} is a superuser.`, revoke('nosuperuser')))
  if (bypassesRowSecurity) {
    findings.push(failure(`${name} bypasses row level security.`, revoke('nobypassrls')))
  }
  const expected = name === 'muster_owner' ? ['muster_auth'] : []
  const extra = memberOf.filter((role) => !expected.includes(role))
  if (extra.length > 0) {
    const next = `Run as a superuser: revoke ${extra.join(', ')} from ${name}`
    findings.push(failure(`${name} may act as ${extra.join(', ')}.`, next))
  }
  return findings
}

const shownMax = 5

/** At most five names, and the number of the others. */
function listNames(names: readonly string[]): string {
  const more = names.length - shownMax
  const shown = names.slice(0, shownMax).join(', ')
  return more > 0 ? `${shown} and ${more} more` : shown
}

/** The roles have every privilege that the migrations grant. */
export const grants: Check = {
  name: 'grants',
  as: 'login',
  needs: 'select on pg_class',
  run: async (db) => {
    const states = await selectRoles(db, roles)
    const required = (await readGrants()).filter(({ role }) =>
      states.some(({ name }) => name === role),
    )
    const checked = await selectGrants(db, required)
    const missing = checked.filter(({ isGranted }) => !isGranted).map(statementOf)
    for (const { name } of states.filter(({ usesSchema }) => !usesSchema)) {
      missing.unshift(`usage on schema muster to ${name}`)
    }
    if (missing.length === 0) return [ok(`${count(checked.length, 'privilege')} checked.`)]
    const findings = missing
      .slice(0, shownMax)
      .map((grant) => failure(`Missing: ${grant}.`, `Run as muster_owner: grant ${grant}`))
    const more = missing.length - shownMax
    if (more > 0) {
      const next = 'Run the grant statements of packages/api/migrations again, as muster_owner.'
      findings.push(failure(`Missing: ${count(more, 'other privilege')}.`, next))
    }
    return findings
  },
}

function statementOf({ role, privilege, object, column, signature }: GrantState): string {
  const granted = column === null ? privilege : `${privilege} (${column})`
  return `${granted} on ${signature ?? `muster.${object}`} to ${role}`
}

/** Row level security hides the rows of other workspaces, on every tenant table. */
export const rowLevelSecurity: Check = {
  name: 'row-level-security',
  as: 'login',
  needs: 'select on pg_class and pg_policy',
  run: async (db) => {
    const tables = await selectTableProtection(db)
    const findings = [
      judgeTables(tables, ({ isEnabled }) => isEnabled, {
        found: 'Row level security is off on',
        next: (name) => `alter table muster.${name} enable row level security`,
      }),
      judgeTables(tables, ({ isForced }) => isForced, {
        found: 'Row level security is not forced on the owner of',
        next: (name) => `alter table muster.${name} force row level security`,
      }),
      judgeTables(tables, ({ isIsolated }) => isIsolated, {
        found: 'The policy workspace_isolation is missing on',
        next: (name) => isolationOf(name),
      }),
      judgeTables(tables, ({ otherPolicies }) => otherPolicies.length === 0, {
        found: 'Another policy shows rows of other workspaces on',
        next: (name, { otherPolicies }) =>
          otherPolicies.map((policy) => `drop policy ${policy} on muster.${name}`).join('; '),
      }),
      judgeTables(tables, ({ owner }) => owner === 'muster_owner', {
        found: 'muster_owner does not own',
        next: (name) => `alter table muster.${name} owner to muster_owner`,
      }),
    ].flat()
    if (findings.length > 0) return findings
    if (tables.length === 0) return [failure('There is no tenant table.', 'Run: npm run migrate')]
    return [ok(`It is enabled and forced on ${count(tables.length, 'tenant table')}.`)]
  },
}

function isolationOf(table: string): string {
  const column = table === 'workspaces' ? 'id' : 'workspace_id'
  const rule = `(${column} = current_setting('app.ws')::uuid)`
  return `create policy workspace_isolation on muster.${table} using ${rule} with check ${rule}`
}

interface Complaint {
  readonly found: string
  readonly next: (name: string, table: TableProtection) => string
}

function judgeTables(
  tables: readonly TableProtection[],
  isGood: (table: TableProtection) => boolean,
  { found, next }: Complaint,
): Finding[] {
  const bad = tables.filter((table) => !isGood(table))
  const [first] = bad
  if (first === undefined) return []
  const each = bad.length > 1 ? 'For each table, run' : 'Run'
  const statement = next(first.name, first)
  const names = listNames(bad.map(({ name }) => name))
  return [failure(`${found} ${names}.`, `${each} as a superuser: ${statement}`)]
}
