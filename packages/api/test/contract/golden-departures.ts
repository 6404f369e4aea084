import assert from 'node:assert/strict'

import { Sweeper } from '#domain/workspace/sweep'
import { createPool } from '#storage/connection/pool'
import { Database } from '#storage/transaction/database'
import { addPerson, signInByLink } from '#test/auth/people'
import { assignWork } from '#test/nouns/assigned-work'
import type { Json } from '#test/support/client'
import { longTimeouts } from '#test/support/long-timeouts'
import { sweepDue } from '#test/support/sweep'
import type { Host, newWorkspace } from '#test/support/workspace'

interface Place {
  readonly host: Host
  readonly home: Awaited<ReturnType<typeof newWorkspace>>
  readonly section: (title: string, work: () => Promise<unknown>) => Promise<void>
}

/** Sends every statement of planned departures, of a person and of a key. */
export async function sendDepartures({ host, home, section }: Place): Promise<void> {
  const manager = await home.manager()
  const ada = await addPerson(manager, { role: 'manager' })
  const person = await signInByLink(manager, ada)
  await section('departures: planned by a person, and with a handover', async () => {
    for (const sender of [person, manager]) {
      const body = { departs_on: '2999-12-31' }
      const planned = await sender.post(`/v1/personnel/${await addPerson(manager)}/depart`, body)
      assert.equal(planned.status, 200, planned.text)
    }
    const { make, manager: other, ada: leaver, bo } = await assignWork(host)
    await make('/v1/groups', { name: 'One', member_user_ids: [leaver] })
    const work = (await other.get(`/v1/personnel/${leaver}/assignments`)).body.data
    const items = work.map(({ type, id }: Json) => ({ type, id, to_user_id: bo }))
    const planned = await other.post(`/v1/personnel/${leaver}/depart`, {
      departs_on: '2999-12-31',
      handover: { items },
    })
    assert.equal(planned.status, 200, planned.text)
  })
  await manager.post(`/v1/personnel/${ada}/suspend`, {})
  await host.sql.query(
    `update departures set departs_on = '2020-01-01'; update workspaces set sweep_due_at = '-infinity'`,
  )
  await section('departures: carried out, and refused', async () => {
    const pool = createPool({ url: host.url, role: 'muster_app', max: 2, timeouts: longTimeouts })
    await using service = new Database(pool)
    await sweepDue(new Sweeper(service))
  })
  const { rows } = await host.sql.query('select refusal_code from departures')
  assert.ok(rows.some(({ refusal_code }) => refusal_code === 'person_not_active'))
}
