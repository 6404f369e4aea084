import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { atEnd } from '@muster/testing/at-end'

import { findDrift } from '#test/drift/drift'
import { type Host, newWorkspace } from '#test/support/workspace'

export const later = '2040-01-02T12:00:00Z'
const script = fileURLToPath(new URL('sweeping.ts', import.meta.url))

/** A process with a worker whose clock shows a later day, when it is ready. */
async function startWorker(url: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [script, url, later], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  atEnd(async () => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  return child
}

export const startWorkers = (host: Host, count: number) =>
  Promise.all(Array.from({ length: count }, () => startWorker(host.url)))

export async function stop(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

const perProject = 5

/** Makes each write of flags slow, so that a signal meets the workers at work. */
export const slowFlags = (seconds = 0.1) => `
  create function slow_flag() returns trigger language plpgsql
    as $$ begin perform pg_sleep(${seconds}); return new; end $$;
  grant execute on function slow_flag to muster_app;
  create trigger slow_flag before insert on events
    for each row when (new.type = 'risk.flagged' and new.position = 0)
    execute function slow_flag()`

/** Adds workspaces with risks whose review is overdue on the later day. */
export async function fill(host: Host, workspaces: number, projects: number): Promise<number> {
  for (let at = 0; at < workspaces; at++) {
    const manager = await (await newWorkspace(host)).manager()
    const codes = Array.from({ length: projects }, (_, index) => `K${index}`)
    await manager.post('/v1/projects/batch', { data: codes.map((code) => ({ code, name: code })) })
    const data = codes.flatMap((project_code) =>
      Array.from({ length: perProject }, () => ({
        project_code,
        title: 'R',
        likelihood: 4,
        impact: 4,
        review_on: '2040-01-01',
      })),
    )
    const reply = await manager.post('/v1/projects/risks/batch', { data })
    assert.equal(reply.status, 200, reply.text)
  }
  return workspaces * projects * perProject
}

async function flagged(host: Host): Promise<{ events: number; risks: number }> {
  const { rows } = await host.sql.query(
    `select count(*)::int as events, count(distinct subject_id)::int as risks from events
     where type = 'risk.flagged'`,
  )
  return rows[0]
}

export async function countDue(host: Host): Promise<number> {
  const { rows } = await host.sql.query(
    'select count(*)::int from workspaces where sweep_due_at < $1',
    [later],
  )
  return rows[0].count
}

async function untilSwept(host: Host): Promise<void> {
  for (let tries = 0; (await countDue(host)) > 0; tries++) {
    assert.ok(tries < 1200, `${await countDue(host)} workspaces are still due`)
    await sleep(100)
  }
}

/** Every risk has its flag, by one event, and no sweep is due before the next day. */
export async function assertSweptOnce(host: Host, risks: number): Promise<void> {
  await untilSwept(host)
  // Work that a killed or frozen worker left would show now.
  await sleep(500)
  assert.deepEqual(await flagged(host), { events: risks, risks })
  const { rows } = await host.sql.query('select distinct sweep_due_at from workspaces')
  assert.deepEqual(
    rows.map(({ sweep_due_at }) => sweep_due_at.toISOString()),
    ['2040-01-03T00:00:00.000Z'],
  )
  assert.deepEqual(await findDrift(host.sql), [])
}

/** Waits until the workers have done more, and not all. */
export async function untilMore(host: Host): Promise<void> {
  const before = (await flagged(host)).events
  while ((await flagged(host)).events <= before) await sleep(5)
  assert.ok((await countDue(host)) > 0, 'there is more work')
}
