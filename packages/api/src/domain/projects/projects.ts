import {
  currentProjectStatuses,
  type HistoryEntry,
  type ListedProject,
  type NewProject,
  Project,
  type ProjectPatch,
  type ProjectSummary,
} from '@muster/contract'

import { type HeldPeople, holdAll, refuseUnassignable } from '#domain/assignable'
import type { Caller } from '#domain/caller'
import { mergedMetadata, patched, refuseStale, save, type Saving } from '#domain/change'
import { Failure, invalid } from '#domain/failure'
import { listHistory } from '#domain/history'
import { filtersIn, listing, type Listing } from '#domain/listing'
import { refuseOverQuota } from '#domain/quota'
import { level } from '#domain/score'
import { sortOrder } from '#domain/sort'
import type { Read, Write } from '#storage/database'
import {
  countProjects,
  type HeldProject,
  holdProject,
  lockProjects,
  selectProject,
  selectProjectByCode,
  selectProjects,
  type StoredProject,
  storeProject,
} from '#storage/projects'
import { askForSweep } from '#storage/sweeps'
import { type ProjectCount, selectProjectTallies } from '#storage/tallies'

export interface ProjectsQuery {
  readonly id?: readonly string[]
  readonly status?: readonly Project['status'][]
  readonly q?: string
  readonly sort?: string
  readonly include?: readonly string[]
}

/** All projects but the archived, or those that the query names instead. */
export function listProjects(
  caller: Caller<'projects.read'>,
  query: ProjectsQuery,
): Listing<ListedProject> {
  const { id, status, q, sort, include } = query
  const filter = {
    ids: id ?? null,
    ownerIds: null,
    statuses: status ?? currentProjectStatuses,
    q: q ?? null,
  }
  const order = sortOrder(sort)
  return listing(caller, {
    counter: filtersIn(query).length > 0 ? null : 'projects',
    count: (snapshot, max) => countProjects(snapshot, filter, max),
    select: async (snapshot, page) => {
      const { items, next } = await selectProjects(snapshot, { filter, order, page })
      if (!include?.includes('summary')) return { items, next }
      const ids = items.map((project) => project.id)
      const counts = Map.groupBy(
        await selectProjectTallies(snapshot, ids),
        ({ project_id }) => project_id,
      )
      const summarized = items.map((project) => ({
        ...project,
        summary: summaryOf(counts.get(project.id) ?? []),
      }))
      return { items: summarized, next }
    },
  })
}

function summaryOf(counts: readonly ProjectCount[]): ProjectSummary {
  const risks_by_level = { low: 0, medium: 0, high: 0, critical: 0 }
  const summary = { live_risks: 0, highest_score: 0, open_issues: 0, highest_severity: 0 }
  for (const { noun, value, count } of counts) {
    if (noun === 'issue') {
      summary.open_issues += count
      summary.highest_severity = Math.max(summary.highest_severity, Number(value))
      continue
    }
    const score = Number(value[0]) * Number(value[1])
    risks_by_level[level(score)] += count
    summary.live_risks += count
    summary.highest_score = Math.max(summary.highest_score, score)
  }
  return {
    ...summary,
    highest_score: summary.highest_score || null,
    risks_by_level,
    highest_severity: summary.highest_severity || null,
  }
}

export async function viewProject(caller: Caller<'projects.read'>, id: string): Promise<Project> {
  return caller.database.read(caller, (read) => findProject(read, id))
}

export async function findProject(read: Read, id: string): Promise<StoredProject> {
  const project = await selectProject(read, id)
  if (project === null) throw noProject(id)
  return project
}

const noProject = (id: string) => new Failure('not_found', `There is no project ${id}.`)

export function listProjectHistory(
  caller: Caller<'projects.read'>,
  id: string,
): Listing<HistoryEntry> {
  return listHistory(caller, {
    id,
    shape: Project,
    refuseMissing: (snapshot) => findProject(snapshot, id),
  })
}

export function addProject(caller: Caller<'projects.manage'>, input: NewProject): Promise<Project> {
  return caller.database.write(caller, async (write) => {
    await refuseOverQuota(write, 'projects')
    const people = await holdAll(write, [input.owner_user_id])
    refuseUnassignable(people, input.owner_user_id, '/owner_user_id')
    await refuseTaken(write, input.code)
    const project: StoredProject = {
      description: null,
      status: 'active',
      health: null,
      health_note: null,
      owner_user_id: null,
      starts_on: null,
      due_on: null,
      risk_appetite: null,
      metadata: {},
      ...input,
      health_set_at: input.health ? write.now : null,
      id: write.newId('prj'),
      version: 0,
      created_at: write.now,
      updated_at: write.now,
    }
    refuseContradictions(project)
    storeProject(write, null, project)
    const changed = Object.keys(input)
    write.record({ type: 'project.created', subject: project.id, project: project.id, changed })
    return project
  })
}

async function refuseTaken(write: Write, code: string): Promise<void> {
  const taken = await selectProjectByCode(write, code)
  if (taken === null) return
  const detail = `The project ${taken} already has the code ${code}.`
  throw new Failure('project_code_taken', detail, { conflicting_id: taken })
}

function refuseContradictions({ starts_on, due_on }: StoredProject): void {
  if (!starts_on || !due_on || starts_on <= due_on) return
  throw invalid({
    pointer: '/due_on',
    code: 'out_of_order',
    detail: 'must not be before starts_on',
  })
}

const writable = [
  'name',
  'description',
  'status',
  'health',
  'health_note',
  'owner_user_id',
  'starts_on',
  'due_on',
  'risk_appetite',
  'metadata',
] as const

export function updateProject(
  caller: Caller<'projects.manage'>,
  id: string,
  patch: ProjectPatch,
): Promise<Project> {
  return caller.database.write(caller, async (write) => {
    const people = await holdAll(write, [patch.owner_user_id])
    const { project } = await lockProject(write, id)
    refuseStale(caller, project)
    refuseArchived(project)
    const after = { ...project, ...wanted(project, patch, people) }
    refuseContradictions(after)
    const hasNews = after.health !== project.health || after.health_note !== project.health_note
    if (hasNews) after.health_set_at = after.health === null ? null : write.now
    if (after.risk_appetite !== project.risk_appetite) askForSweep(write)
    return saveProject(write, { before: project, after, type: 'project.updated' })
  })
}

function wanted(project: StoredProject, patch: ProjectPatch, people: HeldPeople) {
  const { metadata, ...rest } = patch
  const advice = { health_set_at: 'It follows health' }
  const fields = patched(project, rest, { writable, advice })
  if (fields.owner_user_id !== project.owner_user_id) {
    refuseUnassignable(people, fields.owner_user_id, '/owner_user_id')
  }
  return {
    ...fields,
    ...(metadata && { metadata: mergedMetadata(project.metadata, metadata) }),
  }
}

export const saveProject = (write: Write, saving: Saving<StoredProject>) =>
  save(write, saving, storeProject)

/** Many writes may hold a project at once; who changes it or takes a reference, locks it. */
export async function holdForItems(write: Write, id: string): Promise<StoredProject> {
  const held = await holdProject(write, id)
  if (held === null) throw noProject(id)
  return held.project
}

export async function lockProject(write: Write, id: string): Promise<HeldProject> {
  const [held] = await lockProjects(write, [id])
  if (held === undefined) throw noProject(id)
  return held
}

export function refuseArchived({ id, status }: StoredProject): void {
  if (status !== 'archived') return
  throw new Failure('project_archived', `The project ${id} is archived. Restore it first.`)
}
