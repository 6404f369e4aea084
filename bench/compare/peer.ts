import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { start, stop } from '#bench/process'
import { workspaceOf } from '#bench/workspaces'

import type { Target } from './round.ts'
import type { Stage } from './stage.ts'

/** The peer is not a dependency: it is installed in a temporary folder for one run. */
const peerVersion = '5.1.5'

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
export async function startPostGraphile(stage: Stage): Promise<Target & AsyncDisposable> {
  const { url, database } = stage.subject
  const folder = mkdtempSync(join(tmpdir(), 'muster-peer-'))
  const install = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', folder]
  await promisify(execFile)('npm', [...install, `postgraphile@${peerVersion}`])
  const program = join(folder, 'node_modules/postgraphile/dist/cli-run.js')
  const preset = join(folder, 'node_modules/postgraphile/dist/presets/amber.js')
  const given = ['-P', preset, '-c', url, '-s', 'muster', '--port', '0', '--host', '127.0.0.1']
  const environment = { GRAPHILE_ENV: 'production' }
  const server = await start([program, ...given], environment, /(http:\/\/127\.0\.0\.1:\d+)/)
  return {
    name: 'PostGraphile',
    child: server.child,
    database,
    load: {
      base: server.groups[0] ?? '',
      path: '/graphql',
      tokens: [stage.token],
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: query(workspaceOf(stage.token)) }),
    },
    status: 200,
    async [Symbol.asyncDispose]() {
      await stop(server.child)
      rmSync(folder, { recursive: true })
    },
  }
}
