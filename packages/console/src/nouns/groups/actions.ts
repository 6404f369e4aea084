import type { Group, Person } from '@muster/contract'

import { changedFields, isEmpty, previousValues } from '#data/change/changes.ts'
import { type Mutation, runMutation, runMutationWithToast } from '#data/change/mutation.ts'
import { client } from '#data/client.ts'
import { invalidate } from '#data/query-client.ts'
import { showError, showSuccess } from '#kit/feedback/toast.tsx'
import { groupKey } from '#kit/references/groups.ts'
import { t } from '#text/index.ts'

import { enqueueGroupChange } from './mutation-queue.ts'

const invalidates = ['groups', 'personnel', 'keys'] as const

/** The parts that all mutations of a group share. */
const groupMutation = (group: Group) => {
  const params = { group_id: group.id }
  return {
    params,
    enqueue: (seen: number, send: (ifMatch: number) => Promise<Group>) =>
      enqueueGroupChange(group.id, seen, send),
    base: {
      resource: group,
      queryKey: groupKey(group.id),
      fetchLatest: () => client.groups.view({ params }),
      invalidates,
    } as const satisfies Partial<Mutation<Group, unknown>>,
  }
}

type NewGroup = Parameters<typeof client.groups.create>[0]['body']

export async function createGroup(body: NewGroup): Promise<Group> {
  const group = await client.groups.create({ body })
  showSuccess(t('group.created', { name: group.name }))
  await invalidate(...invalidates)
  return group
}

/** The editable text fields of a group. */
export interface GroupAttributes {
  readonly name: string
  readonly description: string | null
  readonly external_id: string | null
}

/** Sends changed fields only, so that concurrent changes of other fields are kept. */
export async function updateGroup(group: Group, wanted: GroupAttributes): Promise<Group | null> {
  const { params, enqueue, base } = groupMutation(group)
  const body = changedFields<GroupAttributes>(group, wanted)
  if (isEmpty(body)) return group
  return runMutation<Group, Group>({
    ...base,
    optimistic: body,
    send: (seen) => enqueue(seen, (ifMatch) => client.groups.update({ params, body }, { ifMatch })),
    successMessage: t('group.updated', { name: wanted.name }),
    undo: ({ version }, before) =>
      client.groups.update({ params, body: previousValues(before, body) }, { ifMatch: version }),
  })
}

export function archiveGroup(group: Group): Promise<void> {
  const { params, enqueue, base } = groupMutation(group)
  return runMutationWithToast({
    ...base,
    optimistic: { status: 'archived' },
    send: (seen) => enqueue(seen, (ifMatch) => client.groups.archive({ params }, { ifMatch })),
    successMessage: t('group.archived', { name: group.name }),
    undo: ({ version }) => client.groups.restore({ params }, { ifMatch: version }),
  })
}

export function restoreGroup(group: Group): Promise<void> {
  const { params, enqueue, base } = groupMutation(group)
  return runMutationWithToast({
    ...base,
    optimistic: { status: 'active' },
    send: (seen) => enqueue(seen, (ifMatch) => client.groups.restore({ params }, { ifMatch })),
    successMessage: t('group.restored', { name: group.name }),
    undo: ({ version }) => client.groups.archive({ params }, { ifMatch: version }),
  })
}

/** Adds a lead or removes one. Concurrent changes of other leads are kept. */
export function setLead(group: Group, person: Person, isLead: boolean): Promise<void> {
  const { params, enqueue, base } = groupMutation(group)
  let latest = group
  const withLead = (now: Group, isLeading: boolean) => {
    const others = now.lead_user_ids.filter((id) => id !== person.id)
    return { lead_user_ids: isLeading ? [...others, person.id] : others }
  }
  const wanted = withLead(group, isLead)
  const successMessage = isLead ? 'members.leads-now' : 'members.leads-no-more'
  return runMutationWithToast({
    ...base,
    optimistic: wanted,
    fetchLatest: async () => {
      latest = await base.fetchLatest()
      // Recompute the change on top of the latest version, so that the conflict dialog shows it.
      Object.assign(wanted, withLead(latest, isLead))
      return latest
    },
    send: (seen) =>
      enqueue(seen, (ifMatch) =>
        client.groups.update({ params, body: withLead(latest, isLead) }, { ifMatch }),
      ),
    successMessage: t(successMessage, { name: person.name, group: group.name }),
    undo: async () => {
      const now = await base.fetchLatest()
      return client.groups.update(
        { params, body: withLead(now, !isLead) },
        { ifMatch: now.version },
      )
    },
  })
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
const membersMutation = (group: Group, people: readonly NamedPerson[]) => {
  const { params, enqueue, base } = groupMutation(group)
  const noChange = { joining: [], leaving: [] }
  const names = people.map(({ name }) => name)
  return {
    params,
    ids: people.map(({ id }) => id),
    names,
    messageValues: { count: names.length, names: names.join(''), group: group.name },
    enqueue,
    base: {
      resource: { ...group, ...noChange },
      fetchLatest: async () => ({ ...(await base.fetchLatest()), ...noChange }),
      invalidates,
    } as const satisfies Partial<Mutation<MembershipChange, unknown>>,
  }
}

export function addMembers(group: Group, people: readonly NamedPerson[]): Promise<Group | null> {
  const { params, ids, names, messageValues, enqueue, base } = membersMutation(group, people)
  const body = { add: ids }
  return runMutation<MembershipChange, Group>({
    ...base,
    optimistic: { joining: names },
    send: (seen) =>
      enqueue(seen, (ifMatch) => client.groups.change_members({ params, body }, { ifMatch })),
    successMessage: t('members.joined', messageValues),
    undo: () => client.groups.change_members({ params, body: { remove: ids } }),
  })
}

/** Undo also restores the leads among the removed members. */
export function removeMembers(group: Group, people: readonly NamedPerson[]): Promise<void> {
  const { params, ids, names, messageValues, enqueue, base } = membersMutation(group, people)
  const formerLeads = group.lead_user_ids.filter((id) => ids.includes(id))
  const body = { remove: ids }
  const undoRemoval = async () => {
    const restored = await client.groups.change_members({ params, body: { add: ids } })
    if (formerLeads.length === 0) return
    const leads = { lead_user_ids: [...new Set([...restored.lead_user_ids, ...formerLeads])] }
    await client.groups.update({ params, body: leads }, { ifMatch: restored.version })
  }
  return runMutationWithToast<MembershipChange, Group>({
    ...base,
    optimistic: { leaving: names },
    send: (seen) =>
      enqueue(seen, (ifMatch) => client.groups.change_members({ params, body }, { ifMatch })),
    successMessage: t('members.left', messageValues),
    undo: undoRemoval,
  })
}

const fetchGroup = (id: string) => client.groups.view({ params: { group_id: id } })

/** Adds people to a group that is not on the page. */
export async function joinGroup(groupId: string, people: readonly NamedPerson[]): Promise<void> {
  try {
    await addMembers(await fetchGroup(groupId), people)
  } catch (error) {
    showError(error)
  }
}

export async function leaveGroup(groupId: string, person: NamedPerson): Promise<void> {
  try {
    await removeMembers(await fetchGroup(groupId), [person])
  } catch (error) {
    showError(error)
  }
}
