import {
  type EventType,
  type HistoryEntry,
  initialOf,
  isOpen,
  Issue,
  issueFields,
  type IssuePatch,
  issueStatuses,
  type NewIssue,
  openIssueStatuses,
  type Operations,
  patchNames,
  type QueryOf,
} from '@muster/contract'

import type { Caller } from '#domain/engine/caller'
import {
  type Changed,
  closed,
  type CloseInput,
  invalidTransition,
  isSame,
  mergedMetadata,
  applyPatch,
  refuseStale,
  save,
  type SaveInput,
} from '#domain/engine/change'
import { Failure } from '#domain/engine/failure'
import { type HistoryQuery, listHistory } from '#domain/engine/history'
import { type Listing, listingOf } from '#domain/engine/listing'
import { refuseOverQuota } from '#domain/engine/quota'
import {
  type LockedPeople,
  shareLockPeopleById,
  refuseUnassignable,
} from '#domain/roster/assignable'
import { flagsOfIssue } from '#domain/rules/flags'
import { sortOrder } from '#domain/rules/sort'
import { lockIssues, selectIssue, type StoredIssue, upsertIssue } from '#storage/nouns/issues'
import { projectIssuesList } from '#storage/nouns/project-items'
import { type StoredProject, updateReferenceNumbers } from '#storage/nouns/projects'
import type { Read, Write } from '#storage/statements/access'

import { reserveExternalId } from './external-ids.ts'
import { datesOfNewItem } from './imported-dates.ts'
import { type ItemPath, openItem, openProject } from './open-project.ts'
import { type AsOfQuery, selectItemAt } from './past-items.ts'
import { findProject, shareLockForItems, lockProject, refuseArchived } from './projects.ts'

export type ProjectIssuesQuery = QueryOf<Operations['issues']['list_in_project']>

/** Lists the issues of one project, including closed ones. */
export function listProjectIssues(
  caller: Caller<'projects.read'>,
  projectId: string,
  { status, sort }: ProjectIssuesQuery,
): Listing<Issue> {
  const project = openProject(caller, projectId, 'read')
  const filter = { project, statuses: status ?? issueStatuses }
  const order = sortOrder(sort)
  return listingOf(caller, {
    counter: null,
    list: projectIssuesList(filter, order),
    context: (snapshot) => findProject(snapshot, project),
    present: (issues) => issues,
  })
}

export function viewIssue(
  caller: Caller<'projects.read'>,
  at: ItemPath,
  { as_of }: AsOfQuery,
): Promise<Issue> {
  const { database } = caller
  if (as_of === undefined) return database.read(caller, (read) => findIssue(read, caller, at))
  return database.snapshot(caller, async (snapshot) => {
    const found = await selectItemAt(caller, snapshot, { noun: 'issue', path: at, as_of })
    if (found === null) throw issueNotFound(at)
    return found.state
  })
}

async function findIssue(
  read: Read,
  caller: Caller<'projects.read'>,
  at: ItemPath,
): Promise<StoredIssue> {
  const issue = await selectIssue(read, openItem(caller, at, 'read'))
  if (issue === null) throw issueNotFound(at)
  return issue
}

const issueNotFound = ({ id, projectId }: ItemPath) =>
  new Failure('not_found', `There is no issue ${id} in the project ${projectId}.`)

export function listIssueHistory(
  caller: Caller<'projects.read'>,
  at: ItemPath,
  query: HistoryQuery,
): Listing<HistoryEntry> {
  return listHistory(caller, {
    ...query,
    id: at.id,
    shape: Issue,
    refuseMissing: (snapshot) => findIssue(snapshot, caller, at),
  })
}

export function addIssue(
  caller: Caller<'projects.manage'>,
  projectId: string,
  input: NewIssue,
): Promise<Issue> {
  return caller.database.write(caller, async (write) => {
    const people = await shareLockPeopleById(write, [input.assignee_user_id])
    const opened = openProject(caller, projectId, 'manage')
    const { project, issue_number } = await lockProject(write, opened)
    refuseArchived(project)
    refuseUnassignable(people, input.assignee_user_id, '/assignee_user_id')
    const issue = buildIssue(input, { write, project, number: issue_number + 1 })
    if (isOpen(issue.status)) await refuseOverQuota(write, 'open_issues')
    await reserveExternalId(write, 'issues', { before: null, after: issue })
    updateReferenceNumbers(write, opened, { issue_number: issue_number + 1 })
    return saveNewIssue(write, issue, Object.keys(input))
  })
}

export interface IssueContext {
  readonly write: Write
  readonly project: StoredProject
  readonly number: number
}

/** Callers cannot set `risk_id`: only an occurring risk does. */
type RiskOrigin = { readonly risk_id?: string }

export function buildIssue(
  input: NewIssue & RiskOrigin,
  { write, project, number }: IssueContext,
): StoredIssue {
  const { startedAt, closing } = datesOfNewItem(input, write, 'opened_at')
  return deriveIssueFields(
    {
      ...initialOf(issueFields),
      risk_id: null,
      ...input,
      id: write.newId('iss'),
      ref: `${project.code}-I${number}`,
      project_id: project.id,
      opened_at: startedAt ?? write.now,
      ...closing,
      reopened_count: 0,
      flags: [],
      version: 0,
      created_at: write.now,
      updated_at: write.now,
    },
    write,
  )
}

export function saveNewIssue(write: Write, issue: StoredIssue, changed: string[]): StoredIssue {
  upsertIssue(write, null, issue)
  const { id: subject, project_id: project } = issue
  write.record({ type: 'issue.created', subject, project, changed })
  return issue
}

const writable = patchNames(issueFields)

const closeAdvice = 'Use POST …/close or …/reopen'
/** For a read-only field of an issue: the operation that sets it. */
export const issueAdvice = {
  risk_id: 'The service sets it when a risk occurs',
  opened_at: 'Only a new issue can state it',
  closed_at: closeAdvice,
  close_reason: closeAdvice,
  close_note: closeAdvice,
  reopened_count: closeAdvice,
}

export function updateIssue(
  caller: Caller<'projects.manage'>,
  at: ItemPath,
  patch: IssuePatch,
): Promise<Issue> {
  return changeIssue(caller, at, {
    type: 'issue.updated',
    people: [patch.assignee_user_id],
    change: async (issue, people, write) => {
      const { metadata, ...rest } = patch
      const merged = {
        ...rest,
        ...(metadata && { metadata: mergedMetadata(issue.metadata, metadata) }),
      }
      const fields = applyIssuePatch(issue, merged, people)
      await reserveExternalId(write, 'issues', { before: issue, after: { ...issue, ...fields } })
      return fields
    },
  })
}

/** Applies a patch whose nested objects are already merged with the current ones. */
export function applyIssuePatch(
  issue: StoredIssue,
  patch: object,
  people: LockedPeople,
): Partial<StoredIssue> {
  const fields = applyPatch(issue, patch, { writable, advice: issueAdvice })
  if (fields.assignee_user_id !== issue.assignee_user_id) {
    refuseUnassignable(people, fields.assignee_user_id, '/assignee_user_id')
  }
  const { status = issue.status } = fields
  const isMove = status !== issue.status
  if (isMove && !(isOpen(status) && isOpen(issue.status))) {
    const allowed = isOpen(issue.status) ? openIssueStatuses : []
    const between = openIssueStatuses.join(', ')
    const detail = `PATCH changes the status between ${between}. Else use POST …/close or …/reopen.`
    throw invalidTransition(detail, { from: issue.status, to: status, allowed })
  }
  return fields
}

interface IssueChange {
  readonly type: EventType
  readonly people?: readonly (string | null | undefined)[]
  readonly note?: string | null
  readonly change: (issue: StoredIssue, people: LockedPeople, write: Write) => Changed<StoredIssue>
}

/** Updates an existing issue and records the event. Writes nothing for a no-op. */
function changeIssue(
  caller: Caller<'projects.manage'>,
  at: ItemPath,
  { type, people: userIds = [], note = null, change }: IssueChange,
): Promise<Issue> {
  return caller.database.write(caller, async (write) => {
    const people = await shareLockPeopleById(write, userIds)
    const opened = openProject(caller, at.projectId, 'manage')
    const project = await shareLockForItems(write, opened)
    const [before] = await lockIssues(write, [opened], [at.id])
    if (before === undefined) throw issueNotFound(at)
    refuseStale(caller, before)
    refuseArchived(project)
    const changed = { ...before, ...(await change(before, people, write)) }
    if (isSame(before, changed)) return before
    return saveIssue(write, { before, after: deriveIssueFields(changed, write), type, note })
  })
}

/** Recomputes tags and flags. */
export function deriveIssueFields(issue: StoredIssue, { today }: Write): StoredIssue {
  const tags = [...new Set(issue.tags)].toSorted()
  return { ...issue, tags, flags: flagsOfIssue(issue, today) }
}

export const saveIssue = (write: Write, saving: SaveInput<StoredIssue>) =>
  save(write, saving, upsertIssue)

export type CloseIssueInput = CloseInput<NonNullable<Issue['close_reason']>>

/** Closing a closed issue is a no-op. */
export function closeIssue(
  caller: Caller<'projects.manage'>,
  at: ItemPath,
  closing: CloseIssueInput,
): Promise<Issue> {
  return changeIssue(caller, at, {
    type: 'issue.closed',
    note: closing.close_note ?? null,
    change: (issue, _, { now }) => (isOpen(issue.status) ? closed(closing, now) : {}),
  })
}

/** Reopening an open issue is a no-op. */
export function reopenIssue(
  caller: Caller<'projects.manage'>,
  at: ItemPath,
  { note = null }: { note?: string | null },
): Promise<Issue> {
  return changeIssue(caller, at, {
    type: 'issue.reopened',
    note,
    change: async (issue, _, write) => {
      if (isOpen(issue.status)) return {}
      await refuseOverQuota(write, 'open_issues')
      return {
        status: 'open',
        closed_at: null,
        close_reason: null,
        close_note: null,
        reopened_count: issue.reopened_count + 1,
      }
    },
  })
}
