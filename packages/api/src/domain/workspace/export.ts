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

import { presentAuditEntry, recordExport } from '#domain/auth/audit'
import { readCurrentTime, presentKey } from '#domain/auth/key'
import type { Caller } from '#domain/engine/caller'
import { Failure } from '#domain/engine/failure'
import { acceptancesFilter, presentAcceptance } from '#domain/projects/acceptances'
import { presentRisk } from '#domain/projects/risk-levels'
import { tasksFilter } from '#domain/projects/tasks'
import { sortOrder } from '#domain/rules/sort'
import { selectPage } from '#storage/lists/index-ranges'
import { acceptancesList } from '#storage/nouns/acceptances'
import { auditList, type StoredAuditEntry } from '#storage/nouns/audit'
import { selectDeparturePage } from '#storage/nouns/departures'
import {
  selectAccess,
  selectEvents,
  selectNumbers,
  selectStates,
  selectTerms,
} from '#storage/nouns/export'
import { groupsList } from '#storage/nouns/groups'
import { selectHoldPage } from '#storage/nouns/identity-holds'
import type { ExportedCounters } from '#storage/nouns/import'
import { keysList } from '#storage/nouns/keys'
import { membersList } from '#storage/nouns/members'
import { projectIssuesList, projectRisksList } from '#storage/nouns/project-items'
import { projectsList } from '#storage/nouns/projects'
import { rosterList } from '#storage/nouns/roster'
import { tasksList } from '#storage/nouns/tasks'
import { selectWorkspace } from '#storage/nouns/workspace'
import { quotasOf, sequenceNumbers } from '#storage/numbers/counters'
import type { Read } from '#storage/statements/access'
import type { Page, PageResult } from '#storage/statements/keyset'
import { View } from '#storage/statements/view'

import { presentWorkspace } from './workspace.ts'

type OtherPart =
  | 'workspace'
  | 'terms'
  | 'members'
  | 'binding_holds'
  | 'departures'
  | 'reference_numbers'
  | 'acceptances'
  | 'events'
  | 'history'
  | 'audit'

/** The parts of an export, one file each. A collection that is missing here does not compile. */
const parts: Readonly<Record<Collection | OtherPart, true>> = {
  workspace: true,
  terms: true,
  personnel: true,
  groups: true,
  members: true,
  binding_holds: true,
  departures: true,
  projects: true,
  reference_numbers: true,
  risks: true,
  acceptances: true,
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

export type Take = (part: ExportPart, items: readonly object[]) => Promise<void>

export interface Exported {
  /** The sequence number of the workspace. */
  readonly as_of: number
  readonly exported_at: string
  readonly counts: Readonly<Record<ExportPart, number>>
  readonly counters: ExportedCounters
}

/**
 * Exports all data of a workspace in one snapshot, as the API shows it, with events and history.
 * Derived data and secrets are left out. `importWorkspace` is the inverse.
 */
export async function exportWorkspace(
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
  await recordExport(caller, { type: 'personnel.exported', format: 'workspace' })
  return caller.database.snapshot(caller, async (snapshot) => {
    // A failed read is retried, but not after a part of the export was written.
    if (counts.workspace > 0) throw new Failure('unavailable')
    const counting: Take = async (part, items) => {
      counts[part] += items.length
      await take(part, items)
    }
    const { seq, ...counters } = await snapshot.counters
    const now = await readCurrentTime(snapshot)
    await readParts(snapshot, now, counting)
    const { terms, firsts } = counters
    return {
      as_of: seq,
      exported_at: now,
      counts,
      counters: {
        numbers: sequenceNumbers(counters),
        quota: quotasOf(counters).quota,
        terms: terms.map((name, at) => ({ name, first: firsts[at] ?? 0 })),
      },
    }
  })
}

/** Reads all parts. `now` decides which keys have expired. */
export async function readParts(read: Read, now: string, take: Take): Promise<void> {
  await exportRoster(read, take)
  await exportProjects(read, take)
  await pages(read, selectEvents, (items) => take('events', items))
  await pages(read, selectStates, (items) => take('history', items))
  await pages(
    read,
    (each, page) => selectPage(each, keysList(keyStatuses), page),
    (keys) =>
      take(
        'keys',
        keys.map((key) => presentKey(key, now)),
      ),
  )
  await take('access', await selectAccess(read))
  await pages(
    read,
    (each, page) => selectPage(each, auditList({ types: null, userIds: null }), page),
    (entries) => take('audit', entries.map(exportEntry)),
  )
}

/** An import marks every entry, so the mark is not exported. */
function exportEntry(entry: StoredAuditEntry) {
  const { is_imported: _, ...exported } = presentAuditEntry(entry)
  return exported
}

const order = sortOrder()

async function exportRoster(read: Read, take: Take): Promise<void> {
  await take('workspace', [presentWorkspace(await selectWorkspace(read))])
  await pages(read, selectTerms, (items) => take('terms', items))
  const everyone = {
    statuses: personStatuses,
    userIds: null,
    emails: null,
    externalIds: null,
    groupIds: null,
    managerIds: null,
    title: null,
    department: null,
    q: null,
  }
  await pages(
    read,
    (each, page) => selectPage(each, rosterList(everyone, order), page),
    (people) => take('personnel', people),
  )
  const filter = { statuses: groupStatuses, q: null }
  await pages(
    read,
    (each, page) => selectPage(each, groupsList(filter, order), page),
    async (groups) => {
      await take('groups', groups)
      for (const group of groups) await exportMembers(read, group, take)
    },
  )
  await pages(read, selectHoldPage, (items) => take('binding_holds', items))
  await pages(read, selectDeparturePage, (items) => take('departures', items))
}

async function exportMembers(
  read: Read,
  group: { id: string; lead_user_ids: readonly string[] },
  take: Take,
): Promise<void> {
  await pages(
    read,
    (each, page) => selectPage(each, membersList(group.id), page),
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

async function exportProjects(read: Read, take: Take): Promise<void> {
  const filter = { statuses: projectStatuses, projects: View.all.scope(), query: {}, q: null }
  await pages(
    read,
    (each, page) => selectPage(each, projectsList(filter, order), page),
    async (projects) => {
      await take('projects', projects)
      for (const { id } of projects) await exportItems(read, id, take)
    },
  )
  await pages(read, selectNumbers, (items) => take('reference_numbers', items))
  const acceptances = acceptancesList(acceptancesFilter(View.all, {}))
  await pages(
    read,
    (each, page) => selectPage(each, acceptances, page),
    (items) => take('acceptances', items.map(presentAcceptance)),
  )
  const tasks = tasksFilter(View.all, {}, taskStatuses)
  await pages(
    read,
    (each, page) => selectPage(each, tasksList(tasks), page),
    (items) => take('tasks', items),
  )
}

async function exportItems(read: Read, projectId: string, take: Take): Promise<void> {
  const project = View.all.open(projectId, 'read')
  const risks = { project, statuses: riskStatuses }
  await pages(
    read,
    (each, page) => selectPage(each, projectRisksList(risks, order), page),
    (items) => take('risks', items.map(presentRisk)),
  )
  const issues = { project, statuses: issueStatuses }
  await pages(
    read,
    (each, page) => selectPage(each, projectIssuesList(issues, order), page),
    (items) => take('issues', items),
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
