import {
  groupStatuses,
  issueStatuses,
  keyStatuses,
  personStatuses,
  projectStatuses,
  riskStatuses,
  taskStatuses,
} from '@muster/contract'

import type { Caller } from '#domain/caller'
import { Failure } from '#domain/failure'
import { presentIssue } from '#domain/issues'
import { momentOf, presentKey } from '#domain/key'
import { presentRisk } from '#domain/risks'
import { sortOrder } from '#domain/sort'
import { tasksFilter } from '#domain/tasks'
import { presentWorkspace } from '#domain/workspace'
import type { Read, Snapshot } from '#storage/database'
import { selectEvents, selectStates } from '#storage/export'
import { selectGroups } from '#storage/groups'
import { selectKeys } from '#storage/keys'
import type { Found, Page } from '#storage/keyset'
import { selectMembers } from '#storage/members'
import { selectProjectIssues, selectProjectRisks } from '#storage/project-items'
import { selectProjects } from '#storage/projects'
import { selectRoster } from '#storage/roster'
import { selectTasks } from '#storage/tasks'
import { selectWorkspace } from '#storage/workspace'

/** The parts of an export, each a file of its own. */
export const exportParts = [
  'workspace',
  'personnel',
  'groups',
  'members',
  'projects',
  'risks',
  'issues',
  'tasks',
  'keys',
  'events',
  'history',
] as const
export type ExportPart = (typeof exportParts)[number]

type Take = (part: ExportPart, items: readonly object[]) => Promise<void>

export interface Exported {
  /** The number at which the workspace stood. */
  readonly as_of: number
  readonly exported_at: string
  readonly counts: Readonly<Record<ExportPart, number>>
}

/**
 * Everything that a workspace holds, from one moment, as the API shows it, and what happened in it.
 * What follows from the rest is left out, and so is every secret: there is nothing in it that lets
 * anyone in.
 */
export function exportWorkspace(
  caller: Caller<'personnel.read'> & Caller<'projects.read'> & Caller<'keys.read'>,
  take: Take,
): Promise<Exported> {
  // The cast holds because every part is in it.
  const counts = Object.fromEntries(exportParts.map((part) => [part, 0])) as Record<
    ExportPart,
    number
  >
  return caller.database.snapshot(caller, async (snapshot) => {
    // A read that lost its connection is begun again; but what was taken cannot be taken back.
    if (counts.workspace > 0) throw new Failure('unavailable')
    const counting: Take = async (part, items) => {
      counts[part] += items.length
      await take(part, items)
    }
    const { seq } = await snapshot.counters
    const now = await momentOf(snapshot)
    await exportRoster(snapshot, counting)
    await exportProjects(snapshot, counting)
    await pages(snapshot, selectEvents, (items) => counting('events', items))
    await pages(snapshot, selectStates, (items) => counting('history', items))
    await pages(
      snapshot,
      (read, page) => selectKeys(read, keyStatuses, page),
      (keys) =>
        counting(
          'keys',
          keys.map((key) => presentKey(key, now)),
        ),
    )
    return { as_of: seq, exported_at: now, counts }
  })
}

const order = sortOrder()

async function exportRoster(snapshot: Snapshot, take: Take): Promise<void> {
  await take('workspace', [presentWorkspace(await selectWorkspace(snapshot))])
  const everyone = {
    statuses: personStatuses,
    userIds: null,
    groupIds: null,
    managerIds: null,
    title: null,
    department: null,
    q: null,
  }
  await pages(
    snapshot,
    (read, page) => selectRoster(read, { filter: everyone, order, page }),
    (people) => take('personnel', people),
  )
  const filter = { statuses: groupStatuses, q: null }
  await pages(
    snapshot,
    (read, page) => selectGroups(read, { filter, order, page }),
    async (groups) => {
      await take('groups', groups)
      for (const group of groups) await exportMembers(snapshot, group, take)
    },
  )
}

async function exportMembers(
  snapshot: Snapshot,
  group: { id: string; lead_user_ids: readonly string[] },
  take: Take,
): Promise<void> {
  await pages(
    snapshot,
    (read, page) => selectMembers(read, group.id, page),
    (members) =>
      take(
        'members',
        members.map(({ user_id, joined_at }) => ({
          group_id: group.id,
          user_id,
          is_lead: group.lead_user_ids.includes(user_id),
          joined_at,
        })),
      ),
  )
}

async function exportProjects(snapshot: Snapshot, take: Take): Promise<void> {
  const filter = { statuses: projectStatuses, ids: null, ownerIds: null, q: null }
  await pages(
    snapshot,
    (read, page) => selectProjects(read, { filter, order, page }),
    async (projects) => {
      await take('projects', projects)
      for (const { id } of projects) await exportItems(snapshot, id, take)
    },
  )
  const tasks = tasksFilter({}, taskStatuses)
  await pages(
    snapshot,
    (read, page) => selectTasks(read, tasks, page),
    (items) => take('tasks', items),
  )
}

async function exportItems(snapshot: Snapshot, projectId: string, take: Take): Promise<void> {
  const risks = { projectId, statuses: riskStatuses }
  await pages(
    snapshot,
    (read, page) => selectProjectRisks(read, { filter: risks, order, page }),
    (items) => take('risks', items.map(presentRisk)),
  )
  const issues = { projectId, statuses: issueStatuses }
  await pages(
    snapshot,
    (read, page) => selectProjectIssues(read, { filter: issues, order, page }),
    (items) => take('issues', items.map(presentIssue)),
  )
}

const pageRows = 500

/** From the first to the last, a page at a time. */
async function pages<T>(
  read: Read,
  select: (read: Read, page: Page) => Promise<Found<T>>,
  take: (items: T[]) => Promise<void>,
): Promise<void> {
  let page: Page = { after: null, limit: pageRows }
  for (;;) {
    const { items, next } = await select(read, page)
    await take(items)
    if (next === null) return
    page = { after: next, limit: pageRows }
  }
}
