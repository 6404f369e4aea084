import type { Group, Person } from '@muster/contract'

import { refresh } from '#api/cache.ts'
import { client } from '#api/client.ts'
import { t } from '#text/index.ts'
import { act, type Act, actAside } from '#ui/act.ts'
import { asBefore, changesTo, isNothing } from '#ui/changes.ts'
import { sayDone } from '#ui/toast.tsx'

import { groupKey } from './queries.ts'
import { inTurn } from './turns.ts'

const touches = ['groups', 'personnel', 'keys'] as const

/** What all that is done to a group has in common. */
const onGroup = (group: Group) => {
  const params = { group_id: group.id }
  return {
    params,
    turn: (seen: number, send: (ifMatch: number) => Promise<Group>) => inTurn(group.id, seen, send),
    common: {
      thing: group,
      key: groupKey(group.id),
      view: () => client.groups.view({ params }),
      touches,
    } as const satisfies Partial<Act<Group, unknown>>,
  }
}

type NewGroup = Parameters<typeof client.groups.create>[0]['body']

export async function createGroup(body: NewGroup): Promise<Group> {
  const group = await client.groups.create({ body })
  sayDone(t('group.created', { name: group.name }))
  await refresh(...touches)
  return group
}

/** What is said of a group in words. */
export interface Wording {
  readonly name: string
  readonly description: string | null
  readonly external_id: string | null
}

/** Only what was changed is sent, so that what someone else wrote meanwhile can stay. */
export async function updateGroup(group: Group, wanted: Wording): Promise<Group | null> {
  const { params, turn, common } = onGroup(group)
  const body = changesTo<Wording>(group, wanted)
  if (isNothing(body)) return group
  return act<Group, Group>({
    ...common,
    expected: body,
    send: (seen) => turn(seen, (ifMatch) => client.groups.update({ params, body }, { ifMatch })),
    says: t('group.updated', { name: wanted.name }),
    undo: ({ version }, before) =>
      client.groups.update({ params, body: asBefore(before, body) }, { ifMatch: version }),
  })
}

export function archiveGroup(group: Group): Promise<void> {
  const { params, turn, common } = onGroup(group)
  return actAside({
    ...common,
    expected: { status: 'archived' },
    send: (seen) => turn(seen, (ifMatch) => client.groups.archive({ params }, { ifMatch })),
    says: t('group.archived', { name: group.name }),
    undo: ({ version }) => client.groups.restore({ params }, { ifMatch: version }),
  })
}

export function restoreGroup(group: Group): Promise<void> {
  const { params, turn, common } = onGroup(group)
  return actAside({
    ...common,
    expected: { status: 'active' },
    send: (seen) => turn(seen, (ifMatch) => client.groups.restore({ params }, { ifMatch })),
    says: t('group.restored', { name: group.name }),
    undo: ({ version }) => client.groups.archive({ params }, { ifMatch: version }),
  })
}

/** Makes a member a lead, or no longer one. On top of what someone else did, theirs stays. */
export function setLead(group: Group, person: Person, isLead: boolean): Promise<void> {
  const { params, turn, common } = onGroup(group)
  let latest = group
  const lead = (now: Group, isLeading: boolean) => {
    const others = now.lead_user_ids.filter((id) => id !== person.id)
    return { lead_user_ids: isLeading ? [...others, person.id] : others }
  }
  const wanted = lead(group, isLead)
  const says = isLead ? 'members.leads-now' : 'members.leads-no-more'
  return actAside({
    ...common,
    expected: wanted,
    view: async () => {
      latest = await common.view()
      // What is wanted is told as it would be on top of what someone else did.
      Object.assign(wanted, lead(latest, isLead))
      return latest
    },
    send: (seen) =>
      turn(seen, (ifMatch) =>
        client.groups.update({ params, body: lead(latest, isLead) }, { ifMatch }),
      ),
    says: t(says, { name: person.name, group: group.name }),
    undo: async () => {
      const now = await common.view()
      return client.groups.update({ params, body: lead(now, !isLead) }, { ifMatch: now.version })
    },
  })
}

export interface Named {
  readonly id: string
  readonly name: string
}

/** A group, and who is about to join or leave it: told when someone else was faster. */
interface Moving extends Group {
  readonly joining: readonly string[]
  readonly leaving: readonly string[]
}

/**
 * What joining and leaving have in common. They are not shown before they are done. Taking them
 * back overwrites nothing, whatever else was done since.
 */
const onMembers = (group: Group, people: readonly Named[]) => {
  const { params, turn, common } = onGroup(group)
  const still = { joining: [], leaving: [] }
  const names = people.map(({ name }) => name)
  return {
    params,
    ids: people.map(({ id }) => id),
    names,
    told: { count: names.length, names: names.join(''), group: group.name },
    turn,
    common: {
      thing: { ...group, ...still },
      view: async () => ({ ...(await common.view()), ...still }),
      touches,
    } as const satisfies Partial<Act<Moving, unknown>>,
  }
}

export function addMembers(group: Group, people: readonly Named[]): Promise<Group | null> {
  const { params, ids, names, told, turn, common } = onMembers(group, people)
  const body = { add: ids }
  return act<Moving, Group>({
    ...common,
    expected: { joining: names },
    send: (seen) =>
      turn(seen, (ifMatch) => client.groups.change_members({ params, body }, { ifMatch })),
    says: t('members.joined', told),
    undo: () => client.groups.change_members({ params, body: { remove: ids } }),
  })
}

/** Whoever comes back leads again if they did. */
export function removeMembers(group: Group, people: readonly Named[]): Promise<void> {
  const { params, ids, names, told, turn, common } = onMembers(group, people)
  const led = group.lead_user_ids.filter((id) => ids.includes(id))
  const body = { remove: ids }
  const bringBack = async () => {
    const back = await client.groups.change_members({ params, body: { add: ids } })
    if (led.length === 0) return
    const leads = { lead_user_ids: [...new Set([...back.lead_user_ids, ...led])] }
    await client.groups.update({ params, body: leads }, { ifMatch: back.version })
  }
  return actAside<Moving, Group>({
    ...common,
    expected: { leaving: names },
    send: (seen) =>
      turn(seen, (ifMatch) => client.groups.change_members({ params, body }, { ifMatch })),
    says: t('members.left', told),
    undo: bringBack,
  })
}
