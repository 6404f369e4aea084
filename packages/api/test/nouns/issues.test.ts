import assert from 'node:assert/strict'
import { test } from 'node:test'

import { issueStatuses } from '@muster/contract'

import {
  type BulkIssue,
  insertIssues,
  insertPeople,
  insertProjects,
  nextUuid,
  randomFrom,
  typeId,
} from '#test/support/bulk'
import type { Json } from '#test/support/client'
import { newWorkspace, startHost } from '#test/support/workspace'

const host = await startHost({ skipsDriftCheck: true })
const seed = Date.now() % 1_000_000
const random = randomFrom(seed)

const home = await newWorkspace(host)
const reader = await home.key('projects.read')
const projects = await insertProjects(host.sql, home.uuid, 12)
const people = await insertPeople(host.sql, home.uuid, 4)
const issues: BulkIssue[] = Array.from({ length: 1200 }, (_, index) => ({
  id: nextUuid(),
  project: random.below(projects.length),
  severity: 1 + random.below(5),
  status: random.pick(issueStatuses),
  // Few instants for many issues, at the ends of days, so that the id must break ties.
  opened_at: new Date(Date.UTC(2026, 0, 1 + random.below(20)) - random.below(2)).toISOString(),
  assignee: random.pick([...people, null]),
  title: `Issue ${index} ${random.pick(['crane', 'pump'])}`,
}))
await insertIssues(host.sql, { uuid: home.uuid, projects }, issues.toReversed())

/** The expected order: severity descending, longest open first, then id. */
function openIssues(keep: (issue: BulkIssue) => boolean): string[] {
  return issues
    .filter((issue) => issue.status !== 'closed' && keep(issue))
    .toSorted(
      (a, b) =>
        b.severity - a.severity ||
        Date.parse(a.opened_at) - Date.parse(b.opened_at) ||
        (a.id < b.id ? -1 : 1),
    )
    .map(({ id }) => typeId('iss', id))
}

const ids = (list: Json) => list.data.map(({ id }: Json) => id)
const assignee = typeId('usr', people[2] ?? '')

const filters: { query: string; keep: (issue: BulkIssue) => boolean }[] = [
  { query: '', keep: () => true },
  { query: 'severity=5', keep: ({ severity }) => severity === 5 },
  { query: 'severity=1,5,4', keep: ({ severity }) => [1, 4, 5].includes(severity) },
  { query: 'assignee_user_id=none', keep: (issue) => issue.assignee === null },
  { query: `assignee_user_id=${assignee}`, keep: (issue) => issue.assignee === people[2] },
  {
    query: `project_id=${typeId('prj', projects[0] ?? '')},${typeId('prj', projects[1] ?? '')}`,
    keep: ({ project }) => project < 2,
  },
  { query: 'status=blocked', keep: ({ status }) => status === 'blocked' },
  {
    query: 'status=open,in_progress&severity=2',
    keep: ({ status, severity }) => status !== 'blocked' && severity === 2,
  },
  { query: 'opened_from=2026-01-09', keep: ({ opened_at }) => opened_at >= '2026-01-09' },
  { query: 'opened_before=2026-01-09', keep: ({ opened_at }) => opened_at < '2026-01-09' },
  {
    query: 'opened_from=2026-01-09&opened_before=2026-01-10&severity=2,3',
    keep: ({ opened_at, severity }) =>
      opened_at.startsWith('2026-01-09') && [2, 3].includes(severity),
  },
  {
    query: 'status=blocked&opened_from=2026-01-04&opened_before=2026-01-12',
    keep: ({ opened_at, status }) =>
      status === 'blocked' && opened_at >= '2026-01-04' && opened_at < '2026-01-12',
  },
  { query: 'opened_from=2026-01-10&opened_before=2026-01-10', keep: () => false },
  { query: 'opened_from=2026-01-12&opened_before=2026-01-04', keep: () => false },
  { query: 'opened_from=0001-01-01&opened_before=9999-12-31', keep: () => true },
  { query: 'q=Crane', keep: ({ title }) => title.includes('crane') },
  {
    query: `project_id=${typeId('prj', projects[4] ?? '')}&assignee_user_id=${assignee},none`,
    keep: (issue) => issue.project === 4 && (!issue.assignee || issue.assignee === people[2]),
  },
]

for (const { query, keep } of filters) {
  test(`lists open issues, ${query || 'all'}: worst first, longest open first (seed ${seed})`, async () => {
    const expected = openIssues(keep)
    const complete = await reader.get(`/v1/issues?${query}`)
    assert.equal(complete.status, 200)
    assert.deepEqual(ids(complete.body), expected)
    const paged: string[] = []
    let cursor = ''
    do {
      const { body } = await reader.get(`/v1/issues?${query}&limit=41${cursor}`)
      paged.push(...ids(body))
      cursor = body.next_cursor === null ? '' : `&cursor=${body.next_cursor}`
    } while (cursor !== '')
    assert.deepEqual(paged, expected)
    const { body } = await reader.get(`/v1/issues?limit=1&include=total_count&${query}`)
    if (query !== '') assert.equal(body.total_count, expected.length)
  })
}

test('refuses parameters that would list closed issues', async () => {
  const unknown = await reader.get('/v1/issues?include_closed=true')
  assert.equal(`${unknown.status} ${unknown.body.code}`, '400 unknown_parameter')
  for (const query of [
    'sort=closed_at',
    'status=closed',
    'status=open,closed',
    'severity=0',
    'flag=late',
    'opened_from=2026-02-30',
    'opened_before=2026-01',
    'opened_from=',
  ]) {
    const { status, body } = await reader.get(`/v1/issues?${query}`)
    assert.equal(`${status} ${body.code}`, '400 invalid_parameter', query)
  }
})

test('refuses to write to the list of open issues', async () => {
  const manager = await home.manager()
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
    const { status, headers, body } = await manager.send(method, '/v1/issues', { body: {} })
    assert.equal(`${status} ${body.code}`, '405 method_not_allowed')
    assert.equal(headers.get('allow'), 'GET, HEAD')
  }
})
