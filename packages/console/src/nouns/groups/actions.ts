import type { Group, GroupPatch, NewGroup, Person } from '@muster/contract'

import { changedFields, isEmpty } from '#data/change/changes.ts'
import { type Mutation, runMutation, runMutationWithToast } from '#data/change/mutation.ts'
import { resource, withToast } from '#data/change/resource.ts'
import { client } from '#data/client.ts'
import { t } from '#text/index.ts'

import { queued } from './mutation-queue.ts'

type GroupRef = Pick<Group, 'id'>

const toParams = ({ id }: GroupRef) => ({ group_id: id })

const invalidates = ['groups', 'personnel', 'keys'] as const

const groups = resource<Group, GroupRef, GroupPatch>({
  noun: 'groups',
  invalidates,
  view: (ref, options) => client.groups.view({ params: toParams(ref) }, options),
  update: (group, body, ifMatch) =>
    client.groups.update({ params: toParams(group), body }, { ifMatch }),
})

export const groupQuery = groups.query

export async function createGroup(body: NewGroup): Promise<Group> {
  const group = await client.groups.create({ body })
  return groups.created(group, t('group.created', { name: group.name }))
}

/** Returns null and sends nothing if no field changed. */
export async function editGroup(group: Group, wanted: GroupPatch): Promise<Group | null> {
  const changes = changedFields<GroupPatch>(group, wanted)
  if (isEmpty(changes)) return null
  const successMessage = t('record.edited', { name: wanted.name ?? group.name })
  return runMutation(queued(groups.updating(group, changes, successMessage)))
}

export const saveGroup = (group: Group, wanted: GroupPatch) => withToast(editGroup(group, wanted))

const { archive, restore } = client.groups

/** Each change of the status, with the one that undoes it. */
const statusChanges = {
  archive: { send: archive, undo: restore, status: 'archived', done: 'group.archived' },
  restore: { send: restore, undo: archive, status: 'active', done: 'group.restored' },
} as const

export function changeStatus(group: Group, verb: keyof typeof statusChanges): Promise<void> {
  const { send, undo, status, done } = statusChanges[verb]
  const params = toParams(group)
  return runMutationWithToast(
    queued({
      ...groups.base(group),
      optimistic: { status },
      send: (ifMatch) => send({ params }, { ifMatch }),
      successMessage: t(done, { name: group.name }),
      undo: ({ version }) => undo({ params }, { ifMatch: version }),
    }),
  )
}

/** Adds a lead or removes one. Concurrent changes of other leads are kept. */
export function setLead(group: Group, person: Person, isLead: boolean): Promise<void> {
  const params = toParams(group)
  const base = groups.base(group)
  let latest = group
  const withLead = (now: Group, isLeading: boolean) => {
    const others = now.lead_user_ids.filter((id) => id !== person.id)
    return { lead_user_ids: isLeading ? [...others, person.id] : others }
  }
  const wanted = withLead(group, isLead)
  const successMessage = isLead ? 'members.leads-now' : 'members.leads-no-more'
  return runMutationWithToast(
    queued({
      ...base,
      optimistic: wanted,
      fetchLatest: async () => {
        latest = await base.fetchLatest()
        // Recompute the change on top of the latest version, so that the conflict dialog shows it.
        Object.assign(wanted, withLead(latest, isLead))
        return latest
      },
      send: (ifMatch) =>
        client.groups.update({ params, body: withLead(latest, isLead) }, { ifMatch }),
      successMessage: t(successMessage, { name: person.name, group: group.name }),
      undo: async () => {
        const now = await base.fetchLatest()
        const body = withLead(now, !isLead)
        return client.groups.update({ params, body }, { ifMatch: now.version })
      },
    }),
  )
}

export interface NamedPerson {
  readonly id: string
  readonly name: string
}

/** A group with the members to add or remove, for the conflict dialog. */
interface MembershipChange extends Group {
  readonly joining: readonly string[]
  readonly leaving: readonly string[]
}

/**
 * The parts that adding and removing members share. There is no optimistic update. Undo sends no
 * version, so it cannot fail because of later changes.
 */
function changingMembers(group: Group, people: readonly NamedPerson[], verb: 'add' | 'remove') {
  const params = toParams(group)
  const ids = people.map(({ id }) => id)
  const names = people.map(({ name }) => name)
  const noChange = { joining: [], leaving: [] }
  const isAdding = verb === 'add'
  const change: Omit<Mutation<MembershipChange, Group>, 'undo'> = {
    resource: { ...group, ...noChange },
    fetchLatest: async () => ({ ...(await groups.base(group).fetchLatest()), ...noChange }),
    invalidates,
    optimistic: isAdding ? { joining: names } : { leaving: names },
    send: (ifMatch) => client.groups.change_members({ params, body: { [verb]: ids } }, { ifMatch }),
    successMessage: t(isAdding ? 'members.joined' : 'members.left', {
      count: names.length,
      names: names.join(''),
      group: group.name,
    }),
  }
  return { params, ids, change }
}

export function addMembers(group: Group, people: readonly NamedPerson[]): Promise<Group | null> {
  const { params, ids, change } = changingMembers(group, people, 'add')
  const undo = () => client.groups.change_members({ params, body: { remove: ids } })
  return runMutation(queued({ ...change, undo }))
}

/** Undo also restores the leads among the removed members. */
export function removeMembers(group: Group, people: readonly NamedPerson[]): Promise<void> {
  const { params, ids, change } = changingMembers(group, people, 'remove')
  const formerLeads = group.lead_user_ids.filter((id) => ids.includes(id))
  const undo = async () => {
    const restored = await client.groups.change_members({ params, body: { add: ids } })
    if (formerLeads.length === 0) return
    const leads = { lead_user_ids: [...new Set([...restored.lead_user_ids, ...formerLeads])] }
    await client.groups.update({ params, body: leads }, { ifMatch: restored.version })
  }
  return runMutationWithToast(queued({ ...change, undo }))
}

const fetchGroup = (id: string) => client.groups.view({ params: toParams({ id }) })

/** Adds people to a group that is not on the page. */
export const joinGroup = (groupId: string, people: readonly NamedPerson[]) =>
  withToast(fetchGroup(groupId).then((group) => addMembers(group, people)))

export const leaveGroup = (groupId: string, person: NamedPerson) =>
  withToast(fetchGroup(groupId).then((group) => removeMembers(group, [person])))
