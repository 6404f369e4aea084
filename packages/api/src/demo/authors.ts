import type { Scope } from '@muster/contract'
import { access } from '@muster/demo'

import { replaceAccess } from '#domain/auth/access'
import { createKey, revokeKey, rotateKey } from '#domain/auth/keys'
import { addPersonalKey } from '#domain/auth/personal-keys'
import { administrator } from '#domain/engine/caller'
import { updateLastUse } from '#storage/nouns/keys'
import type { Database } from '#storage/transaction/database'

import type { DemoCaller, KeyName, Story, StoryStep } from './story.ts'

/** A network for documentation (RFC 5737). */
const network = '203.0.113.0/24'

interface Writer {
  readonly scopes: readonly Scope[]
  readonly days: number
  readonly allowedCidrs?: readonly string[]
}

/** The keys that make changes, as integrations would. */
const writers: Readonly<Record<KeyName, Writer>> = {
  'HR sync': { scopes: ['personnel.manage'], days: 365, allowedCidrs: [network] },
  'Risk office': { scopes: ['personnel.read', 'projects.manage'], days: 180 },
}

/** A personal key: a script that reads the register every week. */
const weeklyReport = { name: 'Weekly report', scopes: ['projects.read' as const] }

/** The authors of the story: an administrator, keys by name, and people. */
export class Authors {
  readonly #admin: DemoCaller
  readonly #story: Story
  readonly #keys = new Map<string, string>()
  readonly #uses = new Map<string, Date | null>()

  constructor(story: Story, database: Database, workspaceId: string) {
    this.#story = story
    this.#admin = administrator(database, workspaceId)
  }

  /** Creates the keys. Later one is rotated, and the old one is revoked. */
  steps(firstDay: number): StoryStep[] {
    const by = 'administrator'
    let old = ''
    const rotate = async () => {
      old = this.#idOf('Risk office')
      const { id } = await rotateKey(this.#admin, old, { overlap_seconds: 604_800 })
      this.#keys.set('Risk office', id)
    }
    const created = Object.entries(writers).map(([name, { days, ...fields }]): StoryStep => {
      const run = async () => {
        const { id } = await createKey(this.#admin, { name, ...fields, expiresInHours: days * 24 })
        this.#keys.set(name, id)
      }
      return { on: firstDay, by, run }
    })
    return [
      ...created,
      { on: -105, by, run: rotate },
      { on: -97, by, run: () => revokeKey(this.#admin, old) },
      { on: -261, by, run: () => replaceAccess(this.#admin, { entries: this.#access() }) },
      { on: -40, by: { person: 'saga' }, run: (caller) => addPersonalKey(caller, weeklyReport) },
    ]
  }

  #access() {
    return access.map(({ role, person, group }) => ({
      role,
      user_id: this.#story.idOf(person),
      group_id: this.#story.idOf(group),
    }))
  }

  async run({ by, run }: StoryStep): Promise<void> {
    if (by === 'administrator') {
      await run(this.#admin)
      return
    }
    if (typeof by === 'object') {
      const id = this.#story.idOf(by.person)
      await run({ ...this.#admin, actor: { type: 'person', id, user_id: id } })
      return
    }
    const id = this.#idOf(by)
    await run({ ...this.#admin, actor: { type: 'key', id, user_id: null } })
    this.#uses.set(id, this.#admin.database.givenTime)
  }

  /** Stores when each key was used last. */
  async recordUses(): Promise<void> {
    await this.#admin.database.writeUnnumbered(this.#admin, async (read) => {
      for (const [id, time] of this.#uses) await updateLastUse(read, id, { network, time })
    })
  }

  #idOf(name: KeyName): string {
    const id = this.#keys.get(name)
    if (id === undefined) throw new Error(`The key ${name} has not been created yet.`)
    return id
  }
}
