import { type Scope, scopes } from '@muster/contract'
import { demoPerson, people, riskReviewer } from '@muster/demo'

import { createKey, listAllKeys, revokeKey } from '#domain/auth/keys'
import { createLink, findUserId } from '#domain/auth/links'
import { administrator } from '#domain/engine/caller'
import { Sweeper } from '#domain/workspace/sweep'
import { createWorkspace } from '#domain/workspace/workspaces'
import { createPool } from '#storage/connection/pool'
import { Database } from '#storage/transaction/database'

import { Authors } from './authors.ts'
import { issueSteps, riskSteps } from './item-steps.ts'
import { firstDay, peopleSteps } from './people-steps.ts'
import { projectSteps, taskSteps } from './project-steps.ts'
import { type StoryStep, Story } from './story.ts'

export const demoWorkspace = 'Northwater'

const hourMs = 3_600_000

/**
 * Seeds the demo workspace Northwater, the same in development, tests and docs: forty people, those
 * who left, and eight projects. It replays nine months up to `now` through the domain, with its own
 * clock, and sweeps on the days on which flags change. So all data has sequence numbers, events and
 * a history. An existing workspace is not changed.
 */
export async function seed(
  owner: Database,
  now = new Date(),
): Promise<{ workspaceId: string; isNew: boolean }> {
  const story = new Story(now)
  // A millisecond between two readings keeps ids in order, also those of one sweep.
  let time = story.midnightOf(firstDay)
  const database = owner.withClock(() => new Date(time++))
  const { id: workspaceId, isNew } = await createWorkspace(database, demoWorkspace, 'northwater')
  if (!isNew) return { workspaceId, isNew }
  const authors = new Authors(story, database, workspaceId)
  const sweeper = new Sweeper(database)
  const byDay = Map.groupBy(stepsOf(story, authors), ({ on }) => on)
  for (let day = firstDay; day <= 0; day++) {
    const steps = byDay.get(day) ?? []
    const midnight = story.midnightOf(day)
    time = midnight
    if (story.isFlagDay(day)) await sweeper.sweepWorkspace(workspaceId)
    for (const [index, step] of steps.entries()) {
      const part = (index + 1) / (steps.length + 1)
      time = timeOfDay({ midnight, day, part, now })
      await authors.run(step)
    }
  }
  time = now.getTime()
  await authors.recordUses()
  await sweeper.sweepWorkspace(workspaceId)
  return { workspaceId, isNew }
}

/** In the order of the days; on one day people come first and tasks last. */
const stepsOf = (story: Story, authors: Authors): StoryStep[] =>
  [
    ...authors.steps(firstDay),
    ...peopleSteps(story),
    ...projectSteps(story),
    ...riskSteps(story),
    ...issueSteps(story),
    ...taskSteps(story),
  ]
    .toSorted((a, b) => a.on - b.on)
    .map((step) => ({ ...step, on: story.workdayOf(step.on) }))

interface Position {
  readonly midnight: number
  readonly day: number
  /** Between 0, the begin of the working day, and 1, its end. */
  readonly part: number
  readonly now: Date
}

/** A time in a working day of eight hours, which begins after 7 UTC; today it ends now. */
function timeOfDay({ midnight, day, part, now }: Position): number {
  const offset = (Math.abs(day) * 2237) % 5400
  const begin = midnight + 7 * hourMs + offset * 1000
  const end = begin + 8 * hourMs
  if (end <= now.getTime()) return Math.floor(begin + part * (end - begin))
  return Math.floor(midnight + part * (now.getTime() - midnight))
}

export interface DemoKeys {
  readonly manager: string
  readonly reader: string
  readonly unscoped: string
}

/**
 * Creates three keys: one with all scopes, one that can read, and one without scopes. The first
 * never expires, because the keys that it creates cannot outlive it. The next call revokes all
 * three.
 */
export async function makeDemoKeys(database: Database, workspaceId: string): Promise<DemoKeys> {
  const caller = administrator(database, workspaceId)
  const earlier = (await listAllKeys(caller)).filter(
    ({ name, status }) => name.startsWith('Demo ') && status !== 'revoked',
  )
  for (const { id } of earlier) await revokeKey(caller, id)
  const make = async (name: string, keyScopes: Scope[], expiresInHours: number | null = 24) =>
    (await createKey(caller, { name: `Demo ${name}`, scopes: keyScopes, expiresInHours })).token
  return {
    manager: await make(
      'manager',
      scopes.filter((scope) => scope.endsWith('.manage')),
      null,
    ),
    reader: await make(
      'reader',
      scopes.filter((scope) => scope.endsWith('.read')),
    ),
    unscoped: await make('unscoped', []),
  }
}

/** Links to the console. Each works once, for three days. */
export interface DemoLinks {
  /** Signs in the head of geotechnics, who has projects and a day of work. */
  readonly person: string
  /** Signs in the director of projects, who administers the workspace. */
  readonly administrator: string
}

/** Creates invitations for the two people of the demo. */
export async function makeDemoLinks(
  database: Database,
  { workspaceId, publicUrl }: { readonly workspaceId: string; readonly publicUrl: string },
): Promise<DemoLinks> {
  const caller = { ...administrator(database, workspaceId), publicUrl }
  const linkOf = async (key: string) => {
    const email = people.find((person) => person.key === key)?.email ?? ''
    const userId = await findUserId(caller, email)
    const { url } = await createLink(caller, userId, { purpose: 'invitation' })
    return url
  }
  return { person: await linkOf(demoPerson), administrator: await linkOf(riskReviewer) }
}

/** Opens the database as its owner. */
export const openOwner = (url: string) =>
  new Database(createPool({ url, role: 'muster_owner', max: 2, hasLongTimeouts: true }))

export { createWorkspace } from '#domain/workspace/workspaces'
export { migrate } from '#storage/migration/migrate'
