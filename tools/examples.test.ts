import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'

import { read, run, startDev } from './follow.ts'

/** Runs the programs of `examples/` as their users do. */
const { settings } = await startDev()
const [, base = '', key = ''] = /BASE=(\S+)\nKEY=(\S+)/.exec(settings) ?? []
const program = (name: string) => fileURLToPath(new URL(`../examples/${name}`, import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'examples-'))
after(() => rmSync(folder, { recursive: true }))

/** Forwards requests to the service, and keeps the status of each response. */
const statuses: number[] = []
const proxy = createServer((incoming, response) => {
  const { method = 'GET', url = '/', headers } = incoming
  const forwarded = send(new URL(url, base), { method, headers }, (answer) => {
    const { statusCode = 502 } = answer
    statuses.push(statusCode)
    response.writeHead(statusCode, answer.headers)
    answer.pipe(response)
  })
  incoming.pipe(forwarded)
}).listen(0, '127.0.0.1')
await new Promise((resolve) => proxy.once('listening', resolve))
after(() => proxy.close())
// The cast holds because the server listens on a port.
const { port } = proxy.address() as AddressInfo

/** Runs a program, and returns its output and the statuses of its requests. */
async function follow(name: string, file = '') {
  const before = statuses.length
  const environment = `BASE=http://127.0.0.1:${port} KEY=${key}`
  const command = `${environment} python3 ${program(name)} ${file}`
  const result = await run(command, { cwd: folder })
  return { ...result, statuses: statuses.slice(before) }
}

function save(lines: readonly string[]): string {
  const path = join(folder, 'file.csv')
  writeFileSync(path, `${lines.join('\n')}\n`)
  return path
}

/** A person or a risk. */
interface Item {
  readonly id: string
  readonly project_id: string
  readonly rank: number
  readonly external_id: string | null
  readonly manager_user_id: string | null
  readonly owner_user_id: string | null
  readonly title: string
  readonly identified_at: string
  readonly last_reviewed_at: string
  readonly project: { readonly code: string }
}

/** What the tests read of lists and summaries. */
interface Body {
  readonly data: readonly Item[]
  readonly by_level: Readonly<Record<string, number>>
  readonly by_project: readonly { readonly project: Item['project']; readonly count: number }[]
  readonly by_flag: { readonly overdue: number }
}

async function get(path: string): Promise<{ readonly tag: string | null; readonly body: Body }> {
  const reply = await fetch(`${base}${path}`, { headers: { authorization: `Bearer ${key}` } })
  // The cast holds because the tests read only fields of the list or summary that they requested.
  return { tag: reply.headers.get('etag'), body: (await reply.json()) as Body }
}

/** Those that came from a file whose external ids have this prefix. */
const from = (prefix: string, { data }: Body) =>
  data.filter(({ external_id }) => external_id?.startsWith(`${prefix}-`))

/** People with numbers; every tenth is a manager. */
function sync(numbers: readonly number[]) {
  const lines = numbers.map((number) => {
    const manager = number % 10 === 0 ? '' : number - (number % 10)
    return `${number},Person ${number},person${number}@example.com,Engineer,${manager}`
  })
  return follow('hr_sync.py', save(['number,name,email,job,manager', ...lines]))
}

async function personnel() {
  const { tag, body } = await get('/v1/personnel?q=person')
  return { tag, people: from('hr', body) }
}

const linesOf = (name: string) => read(`examples/${name}`).trimEnd().split('\n').length
const everyone = Array.from({ length: 1000 }, (_, index) => index + 1000)
const noPeople = { created: 0, changed: 0, unchanged: 0, rejoined: 0, departed: 0 }

function assertCounts(
  { stdout, stderr }: Awaited<ReturnType<typeof follow>>,
  counts: object,
): void {
  assert.equal(stderr, '')
  assert.deepEqual(JSON.parse(stdout), counts)
}

test('hr_sync.py adds 1000 people in one request; a second run takes no number', async () => {
  assert.ok(linesOf('hr_sync.py') <= 30)
  const first = await sync(everyone)
  assertCounts(first, { ...noPeople, created: 1000 })
  assert.deepEqual(first.statuses, [200])
  const before = await personnel()
  assert.equal(before.people.length, 1000)
  assert.equal(before.people.filter(({ manager_user_id }) => manager_user_id).length, 900)
  const second = await sync(everyone)
  assertCounts(second, { ...noPeople, unchanged: 1000 })
  assert.equal((await personnel()).tag, before.tag)
})

test('hr_sync.py refuses an empty file and one without most people', async () => {
  const before = await personnel()
  const empty = await sync([])
  assert.notEqual(empty.code, 0)
  assert.match(empty.stderr, /validation_failed/)
  const short = await sync(everyone.slice(0, 900))
  assert.notEqual(short.code, 0)
  assert.match(short.stderr, /too_many_missing/)
  assert.equal((await personnel()).tag, before.tag)
})

test('hr_sync.py offboards who is gone, and reinstates who is back', async () => {
  const gone = await sync(everyone.slice(3))
  assertCounts(gone, { ...noPeople, unchanged: 997, departed: 3 })
  assert.equal((await personnel()).people.length, 997)
  const back = await sync(everyone)
  assertCounts(back, { ...noPeople, unchanged: 997, rejoined: 3 })
})

const codes = ['MOVEA', 'MOVEB', 'MOVEC', 'MOVED']
const sheetHeader = read('examples/risks.csv').split('\n', 1)[0] ?? ''

/** Risks of several projects. The third line is a risk without an owner. */
const sheetOf = (count: number, prefix: string) =>
  Array.from({ length: count }, (_, index) => {
    const owner = index === 1 ? '' : `person${1000 + (index % 1000)}@example.com`
    const cells = [`${prefix}-${index}`, `Risk; ${index}`, codes[index % 4], owner, 2, 3]
    const quoted = cells.map((cell) => `"${cell}"`).join(';')
    return `${quoted};2024-02-03;2025-03-04;"Two\nlines"`
  })

const move = (rows: readonly string[]) => follow('move_register.py', save([sheetHeader, ...rows]))

const register = () => get('/v1/risks')

test('move_register.py creates 1000 risks; a second run takes no number', async () => {
  assert.ok(linesOf('move_register.py') <= 72)
  const projects = codes.map((code) => ({ code, name: code }))
  await fetch(`${base}/v1/projects/batch?match=code`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ data: projects }),
  })
  const rows = sheetOf(1000, 'one')
  const first = await move(rows)
  assertCounts(first, { created: 1000, changed: 0, unchanged: 0 })
  assert.deepEqual(first.statuses, [200, 200])
  const before = await register()
  const moved = from('one', before.body)
  assert.deepEqual(
    moved.map(({ title, project }) => `${title} ${project.code}`),
    rows.map((_, index) => `Risk; ${index} ${codes[index % 4]}`),
    'risks of one day keep the order of the file',
  )
  const [risk, unowned] = moved
  const { identified_at, last_reviewed_at } = risk ?? {}
  const days = ['2024-02-03T00:00:00.000Z', '2025-03-04T00:00:00.000Z']
  assert.deepEqual([identified_at, last_reviewed_at], days)
  assert.ok(risk?.owner_user_id)
  assert.equal(unowned?.owner_user_id, null)
  assertCounts(await move(rows), { created: 0, changed: 0, unchanged: 1000 })
  assert.equal((await register()).tag, before.tag)
})

test('move_register.py names the line and the column of each error, and saves nothing', async () => {
  const before = await register()
  const [first = '', second = '', third = ''] = sheetOf(3, 'wrong')
  const wrong = await move([
    first,
    '',
    second.replace('"2";', '"9";'),
    ';;;;;;;;',
    third.replace('2024-02-03', '03.02.2024'),
  ])
  assert.deepEqual([wrong.code, wrong.stdout, wrong.statuses], [1, '', [422]])
  assert.deepEqual(wrong.stderr.trimEnd().split('\n'), [
    'line 6, Wahrscheinlichkeit: must be from 1 to 5',
    'line 9, Erfasst am: must be a date, as 2026-11-18, or a time, as 2026-11-18T09:30:00+01:00',
    'Nothing was saved.',
  ])
  const unknown = await move([first.replace('MOVEA', 'NONE'), second.replace('"wrong-1"', '')])
  assert.match(unknown.stderr, /^line 3, Projekt: must be the code of a project$/m)
  assert.match(unknown.stderr, /^line 5, ID: is required, because it finds the record$/m)
  const short = await move([first, 'wrong-9;Short'])
  assert.deepEqual(
    [short.code, short.stderr, short.statuses],
    [1, 'line 4: the header has another number of cells\n', []],
  )
  const column = save([`${sheetHeader};Kosten`, `${first};1`])
  assert.match((await follow('move_register.py', column)).stderr, /^header: .*column Kosten/)
  assert.equal((await register()).tag, before.tag)
})

test('move_register.py sends a longer file in parts, after a check of all', async () => {
  const rows = sheetOf(1001, 'two')
  const before = await register()
  const late = await move(rows.with(1000, (rows[1000] ?? '').replace('"2";', '"9";')))
  assert.deepEqual([late.code, late.statuses], [1, [200, 422]])
  assert.match(late.stderr, /^line 2003, Wahrscheinlichkeit/)
  const twice = await move(rows.with(1000, rows[0] ?? ''))
  assert.deepEqual([twice.code, twice.statuses], [1, []])
  assert.match(twice.stderr, /^line 2003, ID: appears in more than one row$/m)
  assert.equal((await register()).tag, before.tag)
  const good = await move(rows)
  assertCounts(good, { created: 1001, changed: 0, unchanged: 0 })
  assert.deepEqual(good.statuses, [200, 200, 200, 200])
  assert.deepEqual(
    from('two', (await register()).body).map(({ title }) => title),
    rows.map((_, index) => `Risk; ${index}`),
  )
})

/** The numbers of the table, by project. */
const tableOf = (report: string) =>
  new Map(
    (report.split('\n\n', 1)[0] ?? '').split('\n').map((line) => {
      const [code = '', ...cells] = line.split('\t')
      return [code, cells]
    }),
  )

test('report.py prints the counts of the summaries; a second run gets a 304', async () => {
  assert.ok(linesOf('report.py') <= 40)
  const first = await follow('report.py')
  assert.equal(first.stderr, '')
  assert.deepEqual(first.statuses, [200, 200])
  const table = tableOf(first.stdout)
  const levels = table.get('project') ?? []
  table.delete('project')
  const { body } = await get('/v1/risks/summary')
  const totals = levels.map((level, index) => [
    level,
    [...table.values()].reduce((sum, cells) => sum + Number(cells[index]), 0),
  ])
  assert.deepEqual(Object.fromEntries(totals), body.by_level)
  assert.deepEqual(
    Object.fromEntries(
      [...table].map(([code, cells]) => [code, cells.reduce((sum, cell) => sum + Number(cell), 0)]),
    ),
    Object.fromEntries(body.by_project.map(({ project, count }) => [project.code, count])),
  )
  const top = (await register()).body.data.slice(0, 10)
  for (const [index, { title }] of top.entries()) {
    assert.match(first.stdout, new RegExp(`^${index + 1}\\t.*\\t${RegExp.escape(title)}$`, 'm'))
  }
  const { overdue } = (await get('/v1/issues/summary')).body.by_flag
  assert.ok(overdue > 0)
  assert.match(first.stdout, new RegExp(`^Overdue issues: ${overdue}\n(.+\n){${overdue}}$`, 'm'))
  const second = await follow('report.py')
  assert.deepEqual([second.stdout, second.statuses], [first.stdout, [304, 304]])
})

const registerFile = join(folder, 'register.json')

/** The copy of `mirror_register.py`. */
interface Copy {
  readonly after: { readonly after?: string }
  readonly risks: Readonly<Record<string, object>>
}

// The cast holds because the program writes the file.
const mirrored = () => JSON.parse(readFileSync(registerFile, 'utf8')) as Copy

/** Runs the program, and compares its copy with the register, which also has rank and project. */
async function mirror() {
  const result = await follow('mirror_register.py')
  assert.equal(result.stderr, '')
  const { data } = (await register()).body
  const { risks } = mirrored()
  assert.equal(Object.keys(risks).length, data.length)
  for (const risk of data) {
    const { rank, project } = risk
    assert.deepEqual({ ...risks[risk.id], rank, project }, risk)
  }
  // The cast holds because the program prints it.
  const { events } = JSON.parse(result.stdout) as { readonly events: number }
  return { events, statuses: result.statuses }
}

async function change(path: string, body: object): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const reply = await fetch(`${base}${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  assert.ok(reply.ok, await reply.text())
}

test('mirror_register.py copies the register, and reads only what is new', async () => {
  assert.ok(linesOf('mirror_register.py') <= 30)
  const first = await mirror()
  assert.ok(first.events > 2001, `${first.events} events`)
  assert.deepEqual(await mirror(), { events: 0, statuses: [200] })
  const [one, other] = (await register()).body.data
  assert.ok(one && other)
  const pathOf = ({ id, project_id }: Item) => `/v1/projects/${project_id}/risks/${id}`
  await change(`${pathOf(one)}/review`, { likelihood: 1, impact: 1, note: 'Less likely.' })
  await change(`${pathOf(other)}/close`, { close_reason: 'treated' })
  await change(`/v1/projects/${one.project_id}/risks`, { title: 'New', likelihood: 2, impact: 2 })
  assert.deepEqual(await mirror(), { events: 3, statuses: [200] })
})

test('mirror_register.py begins again if its position is lost', async () => {
  const { after: kept, risks } = mirrored()
  // The cast holds because a position is a list. Its last part names what its reader sees.
  const parts = JSON.parse(Buffer.from(kept.after ?? '', 'base64url').toString()) as unknown[]
  const lost = Buffer.from(JSON.stringify([...parts.slice(0, -1), 'other'])).toString('base64url')
  const copy: Copy = { after: { after: lost }, risks: { ...risks, gone: {} } }
  writeFileSync(registerFile, JSON.stringify(copy))
  const again = await mirror()
  assert.equal(again.statuses[0], 410)
  assert.ok(again.events > 2001)
})

test('the guides show the programs and the sheet', () => {
  for (const [guide, file] of [
    ['sync-a-roster', 'hr_sync.py'],
    ['move-from-a-spreadsheet', 'move_register.py'],
    ['move-from-a-spreadsheet', 'risks.csv'],
    ['report-and-bi', 'report.py'],
    ['follow-changes', 'mirror_register.py'],
  ] as const) {
    assert.ok(read(`docs/guides/${guide}.md`).includes(read(`examples/${file}`).trimEnd()), file)
  }
})
