import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { freePort } from '@muster/testing/free-port'

import { run, start, stop } from '#bench/process'
import { asReplica, workspaceOf } from '#bench/workspaces'

import type { Target } from './round.ts'
import type { Peer } from './scenarios.ts'
import type { Stage } from './stage.ts'

export type Peers = Readonly<Partial<Record<Peer, Target>>>

/** The peers have a lock file of their own, so that the service does not depend on them. */
const source = fileURLToPath(new URL('../peers/', import.meta.url))
const folder = fileURLToPath(new URL('../../.build/peers/', import.meta.url))

const installed = (file: string) => join(folder, 'node_modules', file)

/** The stored columns of the page, by the names that PostGraphile gives them. */
const fields = `rowId ref projectId title description category status response likelihood impact
  score inherentLikelihood inherentImpact targetLikelihood targetImpact targetDueOn ownerUserId
  reviewOn lastReviewedAt acceptedByUserId acceptedAt acceptanceExpiresOn acceptanceRationale
  previousScore scoreChangedAt issueIds flags occurredAt closedAt closeReason closeNote tags links
  metadata version createdAt updatedAt projectByWorkspaceIdAndProjectId { code name }`

/** Fifty risks of the workspace. An order by rank is not offered, so it is that of the id. */
const query = (workspaceId: string) => `{
  allRisks(first: 50, condition: { workspaceId: "${workspaceId}" }, orderBy: PRIMARY_KEY_ASC) {
    nodes { ${fields} }
  }
}`

/**
 * PostGraphile on the database of the service, without authentication and row level security: it
 * connects as the owner of the tables.
 */
async function startPostGraphile({ subject, token }: Stage): Promise<Target> {
  const { url, database } = subject
  const program = installed('postgraphile/dist/cli-run.js')
  const preset = installed('postgraphile/dist/presets/amber.js')
  const given = ['-P', preset, '-c', url, '-s', 'muster', '--port', '0', '--host', '127.0.0.1']
  const environment = { GRAPHILE_ENV: 'production' }
  const { child, groups } = await start(
    [program, ...given],
    environment,
    /(http:\/\/127\.0\.0\.1:\d+)/,
  )
  const request = {
    token,
    path: '/graphql',
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: query(workspaceOf(token)) }),
  } as const
  const load = { base: groups[0] ?? '', requests: [request] }
  return { name: 'PostGraphile', child, database, load, statuses: [200] }
}

/** The table that Directus serves: it supports no key of two columns. */
const copyOfRisks = `
  create table public.risks as select id, workspace_id, project_id, ref, title, description,
    category, status, response, likelihood, impact, score, rank_key, inherent_likelihood,
    inherent_impact, target_likelihood, target_impact, target_due_on, owner_user_id, review_on,
    last_reviewed_at, accepted_by_user_id, accepted_at, acceptance_expires_on,
    acceptance_rationale, previous_score, score_changed_at, flags, occurred_at, closed_at,
    close_reason, close_note, tags, links, metadata, version, created_at, updated_at
  from muster.risks;
  alter table public.risks add primary key (id);
  create index on public.risks (workspace_id, rank_key, id);
  analyze public.risks`

/** Directus on a copy of the rows, with the static token of an administrator and no relation. */
async function startDirectus({ subject, token }: Stage): Promise<Target> {
  const { url, database } = subject
  // Its other program asks a registry for a newer version at each start.
  const program = installed('@directus/api/dist/cli/run.js')
  const ownToken = 'token-of-the-administrator'
  const environment = {
    NODE_ENV: 'production',
    DB_CLIENT: 'pg',
    DB_CONNECTION_STRING: url,
    DB_SEARCH_PATH: 'array:public',
    KEY: 'muster',
    SECRET: 'secret-of-the-benchmark',
    ADMIN_EMAIL: 'admin@example.com',
    ADMIN_PASSWORD: 'password-of-the-benchmark',
    ADMIN_TOKEN: ownToken,
    HOST: '127.0.0.1',
    PORT: String(await freePort()),
    TELEMETRY: 'false',
    CACHE_ENABLED: 'false',
    RATE_LIMITER_ENABLED: 'false',
    PRESSURE_LIMITER_ENABLED: 'false',
  }
  await asReplica(url, (sql) => sql.query(copyOfRisks))
  await run([program, 'bootstrap'], { env: environment })
  const listening = /Server started at (http:[\w.:/]+)/
  const { child, groups } = await start([program, 'start'], environment, listening)
  const filter = `filter[workspace_id][_eq]=${workspaceOf(token)}`
  const path = `/items/risks?limit=50&sort=rank_key,id&${filter}`
  const load = { base: groups[0] ?? '', requests: [{ token: ownToken, path }] }
  return { name: 'Directus', child, database, load, statuses: [200] }
}

/** The response must have fifty risks: a peer that refuses is fast. */
async function requireRows({ name, load }: Target): Promise<void> {
  const [request] = load.requests
  const reply = await fetch(load.base + (request?.path ?? ''), {
    method: request?.method ?? 'GET',
    headers: { ...request?.headers, authorization: `Bearer ${request?.token}` },
    ...(request?.body !== undefined && { body: request.body }),
  })
  const text = await reply.text()
  const rows = text.match(/"title":"Risk number /g)?.length ?? 0
  if (rows !== 50) throw new Error(`${name} answered ${reply.status} with ${rows} risks: ${text}`)
}

/** Installs what the lock file names, unless that was done before. */
async function install(): Promise<void> {
  const lock = (of: string) => readFileSync(join(of, 'package-lock.json'), 'utf8')
  if (existsSync(installed('.package-lock.json')) && lock(folder) === lock(source)) return
  rmSync(folder, { recursive: true, force: true })
  cpSync(source, folder, { recursive: true })
  await run(['npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', folder])
}

/** Installs the peers, and starts them on the rows of the service. */
export async function startPeers(stage: Stage): Promise<Peers & AsyncDisposable> {
  await install()
  const postgraphile = await startPostGraphile(stage)
  const directus = await startDirectus(stage)
  for (const peer of [postgraphile, directus]) await requireRows(peer)
  return {
    postgraphile,
    directus,
    async [Symbol.asyncDispose]() {
      await stop(postgraphile.child)
      await stop(directus.child)
    },
  }
}
