import {
  type HistoryEntry,
  Issue,
  type IssuePatch,
  issueStatuses,
  type NewIssue,
  openIssueStatuses,
} from '@muster/contract'

import { type HeldPeople, holdAll, refuseUnassignable } from '#domain/assignable'
import type { Caller } from '#domain/caller'
import {
  type Changed,
  closed,
  type Closing,
  impossible,
  isSame,
  mergedMetadata,
  patched,
  refuseStale,
  save,
  type Saving,
} from '#domain/change'
import { Failure } from '#domain/failure'
import { flagsOfIssue, isOpen } from '#domain/flags'
import { listHistory } from '#domain/history'
import { listing, type Listing } from '#domain/listing'
import { findProject, holdForItems, lockProject, refuseArchived } from '#domain/projects'
import { refuseOverQuota } from '#domain/quota'
import { sortOrder } from '#domain/sort'
import type { Read, Write } from '#storage/database'
import { lockIssues, selectIssue, type StoredIssue, storeIssue } from '#storage/issues'
import { countProjectIssues, selectProjectIssues } from '#storage/project-items'
import { type InProject, type StoredProject, updateNumbers } from '#storage/projects'

// The cast holds because only flags of the contract are ever set.
export const presentIssue = (issue: StoredIssue): Issue => ({
  ...issue,
  flags: issue.flags as Issue['flags'],
})

export interface ProjectIssuesQuery {
  readonly status?: readonly Issue['status'][]
  readonly sort?: string
}

/** The issues of one project, also those that are closed. */
export function listProjectIssues(
  caller: Caller<'projects.read'>,
  projectId: string,
  { status, sort }: ProjectIssuesQuery,
): Listing<Issue> {
  const filter = { projectId, statuses: status ?? issueStatuses }
  const order = sortOrder(sort)
  return listing(caller, {
    counter: null,
    count: (snapshot, max) => countProjectIssues(snapshot, filter, max),
    select: async (snapshot, page) => {
      await findProject(snapshot, projectId)
      const { items, next } = await selectProjectIssues(snapshot, { filter, order, page })
      return { items: items.map(presentIssue), next }
    },
  })
}

export function viewIssue(caller: Caller<'projects.read'>, at: InProject): Promise<Issue> {
  return caller.database.read(caller, async (read) => presentIssue(await findIssue(read, at)))
}

async function findIssue(read: Read, at: InProject): Promise<StoredIssue> {
  const issue = await selectIssue(read, at)
  if (issue === null) throw noIssue(at)
  return issue
}

const noIssue = ({ id, projectId }: InProject) =>
  new Failure('not_found', `There is no issue ${id} in the project ${projectId}.`)

export function listIssueHistory(
  caller: Caller<'projects.read'>,
  at: InProject,
): Listing<HistoryEntry> {
  return listHistory(caller, {
    id: at.id,
    shape: Issue,
    refuseMissing: (snapshot) => findIssue(snapshot, at),
  })
}

export function addIssue(
  caller: Caller<'projects.manage'>,
  projectId: string,
  input: NewIssue,
): Promise<Issue> {
  return caller.database.write(caller, async (write) => {
    const people = await holdAll(write, [input.assignee_user_id])
    const { project, issue_number } = await lockProject(write, projectId)
    refuseArchived(project)
    await refuseOverQuota(write, 'open_issues')
    refuseUnassignable(people, input.assignee_user_id, '/assignee_user_id')
    const issue = newIssue(input, { write, project, number: issue_number + 1 })
    updateNumbers(write, projectId, { issue_number: issue_number + 1 })
    return presentIssue(saveNewIssue(write, issue, Object.keys(input)))
  })
}

interface Numbered {
  readonly write: Write
  readonly project: StoredProject
  readonly number: number
}

/** The risk that came true as this issue is no wish: it is told when the risk occurs. */
type Cause = { readonly risk_id?: string }

export function newIssue(
  input: NewIssue & Cause,
  { write, project, number }: Numbered,
): StoredIssue {
  return settled(
    {
      description: null,
      type: 'problem',
      status: 'open',
      assignee_user_id: null,
      risk_id: null,
      due_on: null,
      blocked_reason: null,
      metadata: {},
      ...input,
      id: write.newId('iss'),
      ref: `${project.code}-I${number}`,
      project_id: project.id,
      opened_at: write.now,
      close_reason: null,
      close_note: null,
      closed_at: null,
      reopened_count: 0,
      flags: [],
      tags: input.tags ?? [],
      version: 0,
      created_at: write.now,
      updated_at: write.now,
    },
    write,
  )
}

export function saveNewIssue(write: Write, issue: StoredIssue, changed: string[]): StoredIssue {
  storeIssue(write, null, issue)
  const { id: subject, project_id: project } = issue
  write.record({ type: 'issue.created', subject, project, changed })
  return issue
}

const writable = [
  'title',
  'description',
  'type',
  'status',
  'severity',
  'assignee_user_id',
  'due_on',
  'blocked_reason',
  'tags',
  'metadata',
] as const

const byClosing = 'It follows from POST …/close and …/reopen'
const advice = {
  risk_id: 'It follows from POST …/occur of the risk',
  closed_at: byClosing,
  close_reason: byClosing,
  close_note: byClosing,
  reopened_count: byClosing,
}

export function updateIssue(
  caller: Caller<'projects.manage'>,
  at: InProject,
  patch: IssuePatch,
): Promise<Issue> {
  return changeIssue(caller, at, {
    type: 'issue.updated',
    people: [patch.assignee_user_id],
    change: (issue, people) => {
      const { metadata, ...rest } = patch
      const whole = {
        ...rest,
        ...(metadata && { metadata: mergedMetadata(issue.metadata, metadata) }),
      }
      return patchOfIssue(issue, whole, people)
    },
  })
}

/** What a patch makes of an issue. Objects within it have been made whole. */
export function patchOfIssue(
  issue: StoredIssue,
  patch: object,
  people: HeldPeople,
): Partial<StoredIssue> {
  const fields = patched(presentIssue(issue), patch, { writable, advice })
  if (fields.assignee_user_id !== issue.assignee_user_id) {
    refuseUnassignable(people, fields.assignee_user_id, '/assignee_user_id')
  }
  const { status = issue.status } = fields
  const isMove = status !== issue.status
  if (isMove && !(isOpen(status) && isOpen(issue.status))) {
    const allowed = isOpen(issue.status) ? openIssueStatuses : []
    const detail = `PATCH moves between ${openIssueStatuses.join(', ')}. For others POST …/close or …/reopen.`
    throw impossible(detail, { from: issue.status, to: status, allowed })
  }
  return fields
}

interface Change {
  readonly type: string
  readonly people?: readonly (string | null | undefined)[]
  readonly note?: string | null
  readonly change: (issue: StoredIssue, people: HeldPeople, write: Write) => Changed<StoredIssue>
}

/** Changes one issue that is there, and tells it. */
function changeIssue(
  caller: Caller<'projects.manage'>,
  at: InProject,
  { type, people: userIds = [], note = null, change }: Change,
): Promise<Issue> {
  return caller.database.write(caller, async (write) => {
    const people = await holdAll(write, userIds)
    const project = await holdForItems(write, at.projectId)
    const [before] = await lockIssues(write, at.projectId, [at.id])
    if (before === undefined) throw noIssue(at)
    refuseStale(caller, before)
    refuseArchived(project)
    const wanted = { ...before, ...(await change(before, people, write)) }
    if (isSame(before, wanted)) return presentIssue(before)
    return presentIssue(saveIssue(write, { before, after: settled(wanted, write), type, note }))
  })
}

/** An issue with what follows from the rest of it. */
export function settled(issue: StoredIssue, { today }: Write): StoredIssue {
  const tags = [...new Set(issue.tags)].toSorted()
  return { ...issue, tags, flags: flagsOfIssue(issue, today) }
}

export const saveIssue = (write: Write, saving: Saving<StoredIssue>) =>
  save(write, saving, storeIssue)

export type IssueClosing = Closing<NonNullable<Issue['close_reason']>>

/** Closing it again changes nothing. */
export function closeIssue(
  caller: Caller<'projects.manage'>,
  at: InProject,
  closing: IssueClosing,
): Promise<Issue> {
  return changeIssue(caller, at, {
    type: 'issue.closed',
    note: closing.close_note ?? null,
    change: (issue, _, { now }) => (isOpen(issue.status) ? closed(closing, now) : {}),
  })
}

/** One that is open stays as it is. */
export function reopenIssue(
  caller: Caller<'projects.manage'>,
  at: InProject,
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
