import assert from 'node:assert/strict'
import { test } from 'node:test'

import { listEvents } from '#domain/events/events'
import { readPosition, writePosition } from '#domain/events/position'
import { View } from '#storage/statements/view'
import { encodeId } from '#storage/values/id'
import { sentDuring } from '#test/support/statements'

import { logged, loggedAfter } from './logged.ts'
import { assertNoScan, isRead, type Large, modes } from './plans.ts'

/** The most buffers of all statements of a page of 100 events with their states. */
const pageMax = 1000

interface Page {
  readonly query?: Parameters<typeof listEvents>[1]
  /** What a bound key sees. */
  readonly view?: View
}

/** A page in the middle of the log reads few buffers. */
export async function testEvents({ host, home, caller, plansOf }: Large): Promise<void> {
  const { rows } = await host.sql.query<{ subject_id: string; project_id: string }>(
    `select subject_id, project_id from events
     where workspace_id = $1 and seq > $2 and project_id is not null order by seq limit 50`,
    [home.uuid, loggedAfter + logged / 2],
  )
  const subjects = rows.map(({ subject_id }) => encodeId('rsk', subject_id))
  const projects = rows.map(({ project_id }) => encodeId('prj', project_id))
  const pages: Readonly<Record<string, Page>> = {
    'without a filter': {},
    'of a type': { query: { type: ['risk.reviewed'] } },
    'of a noun': { query: { type: ['risk.*'] } },
    'about 50 subjects': { query: { subject_id: subjects } },
    'about one subject': { query: { subject_id: subjects.slice(0, 1) } },
    'in 50 projects': { query: { project_id: projects } },
    'in one project': { query: { project_id: projects.slice(0, 1) } },
    'of a key bound to 3 projects': { view: View.listed(projects.slice(0, 3)) },
    'of a key bound to 50 projects': { view: View.listed(projects) },
  }
  for (const [what, { query = {}, view = View.all }] of Object.entries(pages)) {
    test(`events: a page ${what} reads few buffers in the middle of the log`, async (t) => {
      const reader = { ...caller, view }
      const end = readPosition((await listEvents(reader, { after: 'now' })).position)
      assert.ok(end)
      const after = writePosition({ ...end, seq: loggedAfter + logged / 2 })
      const asked = { ...query, after, limit: 100, include: ['states' as const] }
      const { data } = await listEvents(reader, asked)
      assert.ok(data.length > 0)
      assert.ok(data.every(({ states }) => states?.every(({ state }) => state !== null)))
      const sent = await sentDuring(() => listEvents(reader, asked))
      const plans = await plansOf(sent.filter(isRead))
      for (const mode of modes) {
        const those = plans.filter((plan) => plan.mode === mode)
        for (const plan of those) assertNoScan(plan)
        const buffers = those.map((plan) => plan.buffers)
        const sum = buffers.reduce((total, each) => total + each, 0)
        t.diagnostic(`${data.length} events, ${mode}: ${buffers.join(' + ')} = ${sum} buffers`)
        assert.ok(sum <= pageMax, `${sum} buffers\n${those.map(({ text }) => text).join('\n')}`)
      }
    })
  }
}
