import { randomBytes, randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'

import { asReplica } from '#bench/workspaces'

import { call, create } from './compare/api.ts'
import { median } from './compare/judge.ts'
import { startBase, startCurrent, type Subject } from './compare/subject.ts'

/**
 * `npm run bench -- review-bytes`: what one review with an Idempotency-Key adds to each table, with
 * indexes, and to the write-ahead log, for risks without metadata and with 1 KB of it. `--base REF`
 * measures that commit too, in turns. The log is that of the whole server: use an idle one.
 */
const { values } = parseArgs({ options: { base: { type: 'string' } } })
const risks = 100
const reviews = 2000
const rounds = 4

const metadataOf = (bytes: number) =>
  Object.fromEntries(
    Array.from({ length: bytes / 100 }, (_, n) => [`field_${n}`, randomBytes(45).toString('hex')]),
  )

interface Place {
  readonly subject: Subject
  readonly token: string
  /** The paths to review the risks. */
  readonly paths: readonly string[]
}

async function prepare(subject: Subject, metadataBytes: number): Promise<Place> {
  const { base } = subject
  const token = await subject.newWorkspace(`Metadata of ${metadataBytes} bytes`)
  const project = { code: 'DAM', name: 'Norrfors dam renewal' }
  const projectId = await create({ base, token, path: '/v1/projects', body: project })
  const path = `/v1/projects/${projectId}/risks`
  const data = Array.from({ length: risks }, (_, n) => ({
    title: `Risk number ${n} of the site review`,
    description: 'Found at the weekly inspection of the upstream face. '.repeat(6),
    likelihood: 1 + (n % 5),
    impact: 3,
    tags: ['dam', 'review'],
    metadata: metadataOf(metadataBytes),
  }))
  const reply = await call({ base, token, path: `${path}/batch`, body: { data } })
  // The cast holds because the response has the risks of the batch.
  const created = (await reply.json()) as { data: { id: string }[] }
  return { subject, token, paths: created.data.map(({ id }) => `${path}/${id}/review`) }
}

/** Reviews every risk in turn, and returns the milliseconds of each review. */
async function review({ subject, token, paths }: Place, count: number): Promise<number[]> {
  const times: number[] = []
  for (let n = 0; n < count; n++) {
    const body = { likelihood: 1 + (Math.floor(n / paths.length) % 5), note: `Seen in week ${n}` }
    const headers = { 'idempotency-key': randomUUID() }
    const start = performance.now()
    const path = paths[n % paths.length] ?? ''
    const reply = await call({ base: subject.base, token, path, headers, body })
    await reply.arrayBuffer()
    times.push(performance.now() - start)
  }
  return times
}

const tables = ['history', 'idempotency_records', 'events', 'risks', 'risk_index_rows'] as const

const sizesOf = (subject: Subject, isCompacted: boolean) =>
  asReplica(subject.url, async (sql) => {
    if (isCompacted) for (const table of tables) await sql.query(`vacuum full ${table}`)
    const { rows } = await sql.query<{ bytes: number }>(
      `select pg_total_relation_size(t)::float as bytes from unnest($1::regclass[]) as t`,
      [tables],
    )
    return rows.map(({ bytes }) => bytes)
  })

const logOf = (subject: Subject) =>
  asReplica(subject.url, async (sql) => {
    const { rows } = await sql.query<{ bytes: number }>(
      `select (pg_current_wal_insert_lsn() - '0/0')::float as bytes`,
    )
    return rows[0]?.bytes ?? 0
  })

interface Measured {
  readonly place: Place
  readonly before: readonly number[]
  readonly times: number[]
  log: number
}

async function measureRound(measured: Measured): Promise<void> {
  const from = await logOf(measured.place.subject)
  measured.times.push(...(await review(measured.place, reviews / rounds)))
  measured.log += (await logOf(measured.place.subject)) - from
}

const print = (cells: readonly unknown[]) => process.stdout.write(`| ${cells.join(' | ')} |\n`)

async function report({ place, before, times, log }: Measured, metadata: number) {
  const written = await sizesOf(place.subject, false)
  const kept = await sizesOf(place.subject, true)
  const each = (after: readonly number[]) =>
    after.map((bytes, n) => Math.round((bytes - (before[n] ?? 0)) / reviews))
  const row = (what: string, cells: readonly unknown[]) =>
    print([place.subject.name, metadata, what, ...cells])
  row('bytes kept', each(kept))
  row('bytes with dead rows', each(written))
  row('bytes of log', [Math.round(log / reviews)])
  row('median milliseconds', [median(times).toFixed(2)])
}

await using current = await startCurrent()
await using base = values.base === undefined ? null : await startBase(values.base)
const subjects = [...(base === null ? [] : [base]), current]
print(['commit', 'metadata', 'of a review', ...tables])
for (const metadata of [0, 1000]) {
  const all: Measured[] = []
  for (const subject of subjects) {
    const place = await prepare(subject, metadata)
    await review(place, risks)
    all.push({ place, before: await sizesOf(subject, true), times: [], log: 0 })
  }
  for (let round = 0; round < rounds; round++) {
    for (const measured of all) await measureRound(measured)
  }
  for (const measured of all) await report(measured, metadata)
}
