import { limits, type Project } from '@muster/contract'

import type { Caller } from '#domain/caller'
import { closed, refuseStale } from '#domain/change'
import { Failure, invalid } from '#domain/failure'
import { saveIssue, settled as settledIssue } from '#domain/issues'
import { lockProject, refuseArchived, saveProject } from '#domain/projects'
import { refuseOverQuota } from '#domain/quota'
import { saveRisk, settled as settledRisk } from '#domain/risks'
import { saveTask } from '#domain/tasks'
import type { Write } from '#storage/database'
import { lockOpenIssues, type StoredIssue } from '#storage/issues'
import { type HeldProject, lockProjects, type StoredProject } from '#storage/projects'
import { lockLiveRisks, type StoredRisk } from '#storage/risks'
import { lockOpenTasks, type StoredTask } from '#storage/tasks'

export interface Archiving {
  readonly if_live_items?: 'close' | 'transfer'
  readonly to_project_id?: string
}

/** What in a project still needs someone. */
interface LiveItems {
  readonly risks: readonly StoredRisk[]
  readonly issues: readonly StoredIssue[]
  readonly tasks: readonly StoredTask[]
}

/** Archiving it again changes nothing. */
export function archiveProject(
  caller: Caller<'projects.manage'>,
  id: string,
  wish: Archiving,
): Promise<Project> {
  const { if_live_items: fate, to_project_id: heir } = wish
  refuseContradictions(id, wish)
  return caller.database.write(caller, async (write) => {
    // Both at once and in the order of their ids: two projects may be merged into one another.
    const held = await lockProjects(write, [id, ...(heir ? [heir] : [])])
    const { project } =
      held.find((each) => each.project.id === id) ?? (await lockProject(write, id))
    refuseStale(caller, project)
    if (project.status === 'archived') return project
    const items = await lockLiveItems(write, id)
    const count = items.risks.length + items.issues.length + items.tasks.length
    refuseTooMany(count)
    if (count > 0 && fate === undefined) throw hasLiveItems(id, items)
    if (fate === 'close') closeAll(write, project, items)
    if (fate === 'transfer') transferAll(write, heirOf(held, heir), items)
    const after = { ...project, status: 'archived' as const }
    return saveProject(write, { before: project, after, type: 'project.archived' })
  })
}

function refuseContradictions(id: string, { if_live_items, to_project_id }: Archiving): void {
  const pointer = '/to_project_id'
  if (if_live_items === 'transfer' && to_project_id === undefined) {
    throw invalid({ pointer, code: 'required', detail: 'is required to transfer' })
  }
  if (if_live_items !== 'transfer' && to_project_id !== undefined) {
    throw invalid({ pointer, code: 'contradiction', detail: 'goes only with transfer' })
  }
  if (to_project_id !== id) return
  throw invalid({ pointer, code: 'contradiction', detail: 'must be another project' })
}

async function lockLiveItems(write: Write, id: string): Promise<LiveItems> {
  const most = limits.itemsMax + 1
  const risks = await lockLiveRisks(write, id, most)
  const issues = await lockOpenIssues(write, id, most)
  const tasks = await lockOpenTasks(write, id, most)
  return { risks, issues, tasks }
}

function refuseTooMany(count: number): void {
  if (count <= limits.itemsMax) return
  const detail = `The project has more than ${limits.itemsMax} live items. Close or move some first.`
  throw new Failure('too_many_items', detail, { count, limit: limits.itemsMax })
}

function hasLiveItems(id: string, { risks, issues, tasks }: LiveItems): Failure {
  const counts = {
    live_risks: risks.length,
    open_issues: issues.length,
    open_tasks: tasks.length,
  }
  const said = Object.entries(counts)
    .map(([name, count]) => `${count} ${name.replace('_', ' ')}`)
    .join(', ')
  return new Failure('project_has_live_items', `The project ${id} has ${said}.`, counts)
}

function closeAll(write: Write, project: StoredProject, { risks, issues, tasks }: LiveItems): void {
  const note = `The project ${project.code} was archived.`
  const riskEnd = closed({ close_reason: 'no_longer_possible', close_note: note }, write.now)
  for (const before of risks) {
    const after = settledRisk({ ...before, ...riskEnd }, { write, project })
    saveRisk(write, { before, after, type: 'risk.closed', note })
  }
  const issueEnd = closed({ close_reason: 'cancelled', close_note: note }, write.now)
  for (const before of issues) {
    const after = settledIssue({ ...before, ...issueEnd }, write)
    saveIssue(write, { before, after, type: 'issue.closed', note })
  }
  for (const before of tasks)
    saveTask(write, { before, after: { ...before, status: 'cancelled' }, type: 'task.updated' })
}

/** References stay: what people call a risk must not change under them. */
function transferAll(write: Write, heir: StoredProject, { risks, issues, tasks }: LiveItems): void {
  const { id: project_id } = heir
  for (const before of risks) {
    const after = settledRisk({ ...before, project_id }, { write, project: heir })
    saveRisk(write, { before, after, type: 'risk.updated' })
  }
  for (const before of issues) {
    saveIssue(write, { before, after: { ...before, project_id }, type: 'issue.updated' })
  }
  for (const before of tasks)
    saveTask(write, { before, after: { ...before, project_id }, type: 'task.updated' })
}

function heirOf(held: readonly HeldProject[], id: string | undefined): StoredProject {
  const heir = held.find(({ project }) => project.id === id)?.project
  if (heir === undefined) {
    const pointer = '/to_project_id'
    throw new Failure('unknown_reference', `There is no project ${id} to transfer to.`, { pointer })
  }
  refuseArchived(heir)
  return heir
}

/** One that is not archived stays as it is. */
export function restoreProject(
  caller: Caller<'projects.manage'>,
  id: string,
  { status = 'active' }: { readonly status?: Exclude<Project['status'], 'archived'> },
): Promise<Project> {
  return caller.database.write(caller, async (write) => {
    const { project } = await lockProject(write, id)
    refuseStale(caller, project)
    if (project.status !== 'archived') return project
    await refuseOverQuota(write, 'projects')
    const after = { ...project, status }
    return saveProject(write, { before: project, after, type: 'project.restored' })
  })
}
