import {
  type Collection,
  groupStatuses,
  issueStatuses,
  keyStatuses,
  personStatuses,
  projectStatuses,
  riskStatuses,
  taskStatuses,
} from '@muster/contract'

import { presentAuditEntry } from '#domain/auth/audit'
import type { Caller } from '#domain/auth/caller'
import { readCurrentTime, presentKey } from '#domain/auth/key'
import { Failure } from '#domain/engine/failure'
import { presentIssue } from '#domain/projects/issues'
import { presentRisk } from '#domain/projects/risks'
import { tasksFilter } from '#domain/projects/tasks'
import { sortOrder } from '#domain/rules/sort'
import type { Read, Snapshot } from '#storage/engine/access'
import { selectPage } from '#storage/lists/index-ranges'
import type { Page, PageResult } from '#storage/lists/keyset'
import { selectAccessEntries } from '#storage/nouns/access'
import { auditList } from '#storage/nouns/audit'
import { selectEvents, selectStates } from '#storage/nouns/export'
import { groupsList } from '#storage/nouns/groups'
import { keysList } from '#storage/nouns/keys'
import { membersList } from '#storage/nouns/members'
import { projectIssuesList, projectRisksList } from '#storage/nouns/project-items'
import { projectsList } from '#storage/nouns/projects'
import { rosterList } from '#storage/nouns/roster'
import { tasksList } from '#storage/nouns/tasks'
import { selectWorkspace } from '#storage/nouns/workspace'

import { presentWorkspace } from './workspace.ts'

type OtherPart = 'workspace' | 'members' | 'events' | 'history' | 'audit'

/** The parts of an export, one file each. A collection that is missing here does not compile. */
const parts: Readonly<Record<Collection | OtherPart, true>> = {
  workspace: true,
  personnel: true,
  groups: true,
  members: true,
  projects: true,
  risks: true,
  issues: true,
  tasks: true,
  keys: true,
  access: true,
  events: true,
  history: true,
  audit: true,
}
export type ExportPart = keyof typeof parts

// The cast holds because these are the keys of this object.
export const exportParts = Object.keys(parts) as ExportPart[]

type Take = (part: ExportPart, items: readonly object[]) => Promise<void>

export interface Exported {
  /** The sequence number of the workspace. */
  readonly as_of: number
  readonly exported_at: string
  readonly counts: Readonly<Record<ExportPart, number>>
}

/**
 * Exports all data of a workspace in one snapshot, as the API shows it, with events and history.
 * Derived data and secrets are left out.
 */
export function exportWorkspace(
  caller: Caller<'personnel.read'> &
    Caller<'projects.read'> &
    Caller<'keys.read'> &
    Caller<'workspace.manage'>,
  take: Take,
): Promise<Exported> {
  // The cast holds because every part is in it.
  const counts = Object.fromEntries(exportParts.map((part) => [part, 0])) as Record<
    ExportPart,
    number
  >
  return caller.database.snapshot(caller, async (snapshot) => {
    // A failed read is retried, but not after a part of the export was written.
    if (counts.workspace > 0) throw new Failure('unavailable')
    const counting: Take = async (part, items) => {
      counts[part] += items.length
      await take(part, items)
    }
    const { seq } = await snapshot.counters
    const now = await readCurrentTime(snapshot)
    await exportRoster(snapshot, counting)
    await exportProjects(snapshot, counting)
    await pages(snapshot, selectEvents, (items) => counting('events', items))
    await pages(snapshot, selectStates, (items) => counting('history', items))
    await pages(
      snapshot,
      (read, page) => selectPage(read, keysList(keyStatuses), page),
      (keys) =>
        counting(
          'keys',
          keys.map((key) => presentKey(key, now)),
        ),
    )
    await counting('access', await selectAccessEntries(snapshot))
    await pages(
      snapshot,
      (read, page) => selectPage(read, auditList({ types: null, userIds: null }), page),
      (entries) => counting('audit', entries.map(presentAuditEntry)),
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
    (read, page) => selectPage(read, rosterList(everyone, order), page),
    (people) => take('personnel', people),
  )
  const filter = { statuses: groupStatuses, q: null }
  await pages(
    snapshot,
    (read, page) => selectPage(read, groupsList(filter, order), page),
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
    (read, page) => selectPage(read, membersList(group.id), page),
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
    (read, page) => selectPage(read, projectsList(filter, order), page),
    async (projects) => {
      await take('projects', projects)
      for (const { id } of projects) await exportItems(snapshot, id, take)
    },
  )
  const tasks = tasksFilter({}, taskStatuses)
  await pages(
    snapshot,
    (read, page) => selectPage(read, tasksList(tasks), page),
    (items) => take('tasks', items),
  )
}

async function exportItems(snapshot: Snapshot, projectId: string, take: Take): Promise<void> {
  const risks = { projectId, statuses: riskStatuses }
  await pages(
    snapshot,
    (read, page) => selectPage(read, projectRisksList(risks, order), page),
    (items) => take('risks', items.map(presentRisk)),
  )
  const issues = { projectId, statuses: issueStatuses }
  await pages(
    snapshot,
    (read, page) => selectPage(read, projectIssuesList(issues, order), page),
    (items) => take('issues', items.map(presentIssue)),
  )
}

const pageRows = 500

/** Reads all pages, from first to last. */
async function pages<T>(
  read: Read,
  select: (read: Read, page: Page) => Promise<PageResult<T>>,
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
