import { limits, type Project } from '@muster/contract'

import { refuseAppetite } from '#domain/auth/rights'
import type { Caller } from '#domain/engine/caller'
import { closed, refuseStale } from '#domain/engine/change'
import { Failure, invalid } from '#domain/engine/failure'
import { refuseOverQuota } from '#domain/engine/quota'
import { moveAcceptances } from '#storage/nouns/acceptances'
import { lockOpenIssues, type StoredIssue } from '#storage/nouns/issues'
import { type LockedProject, lockProjects, type StoredProject } from '#storage/nouns/projects'
import { lockLiveRisks, type StoredRisk } from '#storage/nouns/risks'
import { lockOpenTasks, type StoredTask } from '#storage/nouns/tasks'
import type { Write } from '#storage/statements/access'
import type { OpenedProject } from '#storage/statements/view'

import { saveIssue, deriveIssueFields } from './issues.ts'
import { openProject } from './open-project.ts'
import { lockProject, refuseArchived, saveProject } from './projects.ts'
import { saveRisk, deriveRiskFields } from './risks.ts'
import { saveTask } from './tasks.ts'

export interface ArchiveInput {
  readonly if_live_items?: 'close' | 'transfer'
  readonly to_project_id?: string
}

/** Live risks, open issues and open tasks of a project. */
interface LiveItems {
  readonly risks: readonly StoredRisk[]
  readonly issues: readonly StoredIssue[]
  readonly tasks: readonly StoredTask[]
}

/** Archiving an archived project is a no-op. */
export function archiveProject(
  caller: Caller<'projects.manage'>,
  id: string,
  input: ArchiveInput,
): Promise<Project> {
  const { if_live_items: action, to_project_id: target } = input
  refuseInvalidTarget(id, input)
  return caller.database.write(caller, async (write) => {
    // One statement locks both in id order: archiving A into B and B into A must not deadlock.
    const opened = openProject(caller, id, 'manage')
    const others = target ? [openProject(caller, target, 'manage')] : []
    const locked = await lockProjects(write, [opened, ...others])
    const { project } =
      locked.find((each) => each.project.id === id) ?? (await lockProject(write, opened))
    refuseStale(caller, project)
    if (project.status === 'archived') return project
    const items = await lockLiveItems(write, opened)
    const count = items.risks.length + items.issues.length + items.tasks.length
    refuseTooMany(count)
    if (count > 0 && action === undefined) throw liveItemsFailure(id, items)
    if (action === 'close') closeAll(write, project, items)
    if (action === 'transfer') {
      const to = findTarget(locked, target)
      if (isAppetiteEvaded(project, to, items)) {
        refuseAppetite(caller, 'Moving a risk above the appetite to a project with a higher one')
      }
      transferAll(write, to, items)
    }
    const after = { ...project, status: 'archived' as const }
    return saveProject(write, { before: project, after, type: 'project.archived' })
  })
}

/** Whether a risk above the appetite of its project could be accepted in the other project. */
function isAppetiteEvaded(from: StoredProject, to: StoredProject, { risks }: LiveItems): boolean {
  const appetite = from.risk_appetite
  if (appetite === null) return false
  const isHigher = to.risk_appetite === null || to.risk_appetite > appetite
  return isHigher && risks.some(({ score }) => score > appetite)
}

function refuseInvalidTarget(id: string, { if_live_items, to_project_id }: ArchiveInput): void {
  const pointer = '/to_project_id'
  if (if_live_items === 'transfer' && to_project_id === undefined) {
    throw invalid({ pointer, code: 'required', detail: 'is required for transfer' })
  }
  if (if_live_items !== 'transfer' && to_project_id !== undefined) {
    throw invalid({ pointer, code: 'contradiction', detail: 'is allowed only with transfer' })
  }
  if (to_project_id !== id) return
  throw invalid({ pointer, code: 'contradiction', detail: 'must be another project' })
}

async function lockLiveItems(write: Write, project: OpenedProject<'manage'>): Promise<LiveItems> {
  const limit = limits.itemsMax + 1
  const risks = await lockLiveRisks(write, project, limit)
  const issues = await lockOpenIssues(write, project, limit)
  const tasks = await lockOpenTasks(write, project, limit)
  return { risks, issues, tasks }
}

function refuseTooMany(count: number): void {
  if (count <= limits.itemsMax) return
  const detail = `The project has over ${limits.itemsMax} live items. Close or move some first.`
  throw new Failure('too_many_items', detail, { count, limit: limits.itemsMax })
}

function liveItemsFailure(id: string, { risks, issues, tasks }: LiveItems): Failure {
  const counts = {
    live_risks: risks.length,
    open_issues: issues.length,
    open_tasks: tasks.length,
  }
  const summary = Object.entries(counts)
    .map(([name, count]) => `${count} ${name.replace('_', ' ')}`)
    .join(', ')
  return new Failure('project_has_live_items', `The project ${id} has ${summary}.`, counts)
}

function closeAll(write: Write, project: StoredProject, { risks, issues, tasks }: LiveItems): void {
  const note = `The project ${project.code} was archived.`
  const riskClosing = closed({ close_reason: 'no_longer_possible', close_note: note }, write.now)
  for (const before of risks) {
    const after = deriveRiskFields({ ...before, ...riskClosing }, { write, project })
    saveRisk(write, { before, after, type: 'risk.closed', note })
  }
  const issueClosing = closed({ close_reason: 'cancelled', close_note: note }, write.now)
  for (const before of issues) {
    const after = deriveIssueFields({ ...before, ...issueClosing }, write)
    saveIssue(write, { before, after, type: 'issue.closed', note })
  }
  for (const before of tasks)
    saveTask(write, { before, after: { ...before, status: 'cancelled' }, type: 'task.updated' })
}

/** Items keep references such as `DAM-R1`, because people already use them. */
function transferAll(
  write: Write,
  target: StoredProject,
  { risks, issues, tasks }: LiveItems,
): void {
  const { id: project_id } = target
  for (const before of risks) {
    const after = deriveRiskFields({ ...before, project_id }, { write, project: target })
    saveRisk(write, { before, after, type: 'risk.updated' })
  }
  const riskIds = risks.map(({ id }) => id)
  if (riskIds.length > 0) moveAcceptances(write, riskIds, project_id)
  for (const before of issues) {
    saveIssue(write, { before, after: { ...before, project_id }, type: 'issue.updated' })
  }
  for (const before of tasks)
    saveTask(write, { before, after: { ...before, project_id }, type: 'task.updated' })
}

function findTarget(locked: readonly LockedProject[], id: string | undefined): StoredProject {
  const target = locked.find(({ project }) => project.id === id)?.project
  if (target === undefined) {
    const pointer = '/to_project_id'
    throw new Failure('unknown_reference', `There is no project ${id}.`, { pointer })
  }
  refuseArchived(target)
  return target
}

/** Restoring a project that is not archived is a no-op. */
export function restoreProject(
  caller: Caller<'projects.manage'>,
  id: string,
  { status = 'active' }: { readonly status?: Exclude<Project['status'], 'archived'> },
): Promise<Project> {
  return caller.database.write(caller, async (write) => {
    const { project } = await lockProject(write, openProject(caller, id, 'manage'))
    refuseStale(caller, project)
    if (project.status !== 'archived') return project
    await refuseOverQuota(write, 'projects')
    const after = { ...project, status }
    return saveProject(write, { before: project, after, type: 'project.restored' })
  })
}
