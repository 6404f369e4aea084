import assert from 'node:assert/strict'

import { type Scope, scopes } from '@muster/contract'
import { atEnd } from '@muster/testing/at-end'

import { Sweeper } from '#domain/workspace/sweep'
import { createPool } from '#storage/connection/pool'
import { Database } from '#storage/transaction/database'
import { Client, type Json } from '#test/support/client'
import { longTimeouts } from '#test/support/long-timeouts'
import { throughPooler } from '#test/support/pooler'
import { type Host, listen, newWorkspace } from '#test/support/workspace'

/**
 * A service and a sweeper with a controlled clock, on the database of the host. Its time is past:
 * keys and sessions, whose time is that of the database, are valid meanwhile.
 */
export async function startClock(host: Host) {
  const clock = { now: new Date('2025-11-18T12:00:00Z') }
  const options = { clock: () => clock.now }
  const base = await listen(host.url, options)
  const newSweeper = () => {
    const url = throughPooler(host.url)
    const pool = createPool({ url, role: 'muster_app', max: 2, timeouts: longTimeouts })
    const database = new Database(pool, options)
    atEnd(() => database[Symbol.asyncDispose]())
    return new Sweeper(database)
  }
  return { host, clock, base, newSweeper, sweeper: newSweeper() }
}

export type ClockedHost = Awaited<ReturnType<typeof startClock>>

/** A new workspace, with shorthands for requests about the departure of Ada. */
export async function setup({ host, base, clock, sweeper }: ClockedHost, zone = 'UTC') {
  clock.now = new Date('2025-11-18T12:00:00Z')
  const home = await newWorkspace(host)
  await host.sql.query('update workspaces set time_zone = $2 where id = $1', [home.uuid, zone])
  const client = async (...held: Scope[]) =>
    new Client(base, (await home.issue({ scopes: held })).token)
  const manager = await client(...scopes)
  const make = async (path: string, body: object): Promise<Json> => {
    const reply = await manager.post(path, body)
    assert.ok(reply.status < 300, reply.text)
    return reply.body
  }
  const ada: string = (await make('/v1/personnel', { name: 'Ada', email: 'ada@example.com' })).id
  const bo: string = (await make('/v1/personnel', { name: 'Bo' })).id
  const planPath = `/v1/personnel/${ada}/departure`
  return {
    ...home,
    ada,
    bo,
    manager,
    make,
    client,
    planPath,
    depart: (body: object, sender = manager) => sender.post(`/v1/personnel/${ada}/depart`, body),
    plan: async (sender = manager) => {
      const { status, body } = await sender.get(planPath)
      return status === 200 ? body : null
    },
    view: async (userId = ada) => (await manager.get(`/v1/personnel/${userId}`)).body,
    history: async () => (await manager.get(`/v1/personnel/${ada}/history`)).body.data as Json[],
    sweepAt: async (time: string) => {
      clock.now = new Date(time)
      await sweeper.sweepWorkspace(home.id)
    },
  }
}
