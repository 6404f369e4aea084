import {
  currentProjectStatuses,
  type HistoryEntry,
  initialOf,
  type ListedProject,
  type NewProject,
  type Operations,
  patchNames,
  Project,
  projectFields,
  type ProjectPatch,
  type ProjectSummary,
  type QueryOf,
} from '@muster/contract'

import { mayRead, refuseAppetite } from '#domain/auth/rights'
import type { Caller } from '#domain/engine/caller'
import {
  mergedMetadata,
  applyPatch,
  refuseStale,
  save,
  type SaveInput,
} from '#domain/engine/change'
import { Failure, invalid } from '#domain/engine/failure'
import { type HistoryQuery, listHistory } from '#domain/engine/history'
import { type Listing, listingOf, wholeCounter } from '#domain/engine/listing'
import { refuseOverQuota } from '#domain/engine/quota'
import {
  type LockedPeople,
  shareLockPeopleById,
  refuseUnassignable,
} from '#domain/roster/assignable'
import { level } from '#domain/rules/score'
import { sortOrder } from '#domain/rules/sort'
import { type ProjectCount, selectProjectCounts } from '#storage/derived/summary-counts'
import {
  type LockedProject,
  shareLockProject,
  lockProjects,
  selectProject,
  selectProjectsByCode,
  projectsList,
  type StoredProject,
  upsertProject,
} from '#storage/nouns/projects'
import { requestSweep } from '#storage/nouns/sweeps'
import type { Read, Write } from '#storage/statements/access'
import type { OpenedProject } from '#storage/statements/view'

import { reserveExternalId } from './external-ids.ts'
import { openProject } from './open-project.ts'
import { type AsOfQuery, numberAt, selectStateAt } from './past-items.ts'

export type ProjectsQuery = QueryOf<Operations['projects']['list']>

/** Lists projects: all but archived ones, unless the query filters by status. */
export function listProjects(
  caller: Caller<'projects.read'>,
  query: ProjectsQuery,
): Listing<ListedProject> {
  const { id, owner_user_id, health, status, q, sort, include } = query
  const filter = {
    query,
    projects: caller.view.scope(id),
    ownerIds: owner_user_id,
    healths: health,
    statuses: status ?? currentProjectStatuses,
    q: q ?? null,
  }
  const order = sortOrder(sort)
  return listingOf(caller, {
    counter: wholeCounter(caller, query, 'projects'),
    list: projectsList(filter, order, sort),
    ...(!include?.includes('summary') && { item: (project: StoredProject) => project }),
    present: async (projects, { snapshot }) => {
      if (!include?.includes('summary')) return projects
      const ids = projects.map((project) => project.id)
      const counts = Map.groupBy(
        await selectProjectCounts(snapshot, ids),
        ({ project_id }) => project_id,
      )
      return projects.map((project) => ({
        ...project,
        summary: summarizeCounts(counts.get(project.id) ?? []),
      }))
    },
  })
}

function summarizeCounts(counts: readonly ProjectCount[]): ProjectSummary {
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

export async function viewProject(
  caller: Caller<'projects.read'>,
  id: string,
  { as_of: text }: AsOfQuery,
): Promise<Project> {
  const { database } = caller
  if (text === undefined) {
    return database.read(caller, (read) => findProject(read, openProject(caller, id, 'read')))
  }
  return database.snapshot(caller, async (snapshot) => {
    const seq = await numberAt(caller, snapshot, { parameter: 'as_of', text })
    const project = await selectStateAt(snapshot, { noun: 'project', seq, id })
    if (project === undefined) throw projectNotFound(id)
    return project
  })
}

export async function findProject(read: Read, opened: OpenedProject): Promise<StoredProject> {
  const project = await selectProject(read, opened)
  if (project === null) throw projectNotFound(opened.id)
  return project
}

const projectNotFound = (id: string) => new Failure('not_found', `There is no project ${id}.`)

export function listProjectHistory(
  caller: Caller<'projects.read'>,
  id: string,
  query: HistoryQuery,
): Listing<HistoryEntry> {
  return listHistory(caller, {
    ...query,
    id,
    shape: Project,
    refuseMissing: (snapshot) => findProject(snapshot, openProject(caller, id, 'read')),
  })
}

export function addProject(caller: Caller<'projects.manage'>, input: NewProject): Promise<Project> {
  refuseBound(caller)
  return caller.database.write(caller, async (write) => {
    await refuseOverQuota(write, 'projects')
    const people = await shareLockPeopleById(write, [input.owner_user_id])
    const codes = await selectProjectsByCode(write, [input.code])
    refuseTakenCode(caller, input, codes)
    const project = buildProject(input, { write, people })
    await reserveExternalId(write, 'projects', { before: null, after: project })
    return saveNewProject(write, project, Object.keys(input))
  })
}

/** What a change of a project depends on. */
export interface ProjectContext {
  readonly write: Write
  readonly people: LockedPeople
}

export function buildProject(input: NewProject, { write, people }: ProjectContext): StoredProject {
  refuseUnassignable(people, input.owner_user_id, '/owner_user_id')
  const project: StoredProject = {
    ...initialOf(projectFields),
    ...input,
    health_set_at: input.health ? write.now : null,
    id: write.newId('prj'),
    version: 0,
    created_at: write.now,
    updated_at: write.now,
  }
  refuseInvalidDates(project)
  return project
}

export function saveNewProject(
  write: Write,
  project: StoredProject,
  changed: string[],
): StoredProject {
  upsertProject(write, null, project)
  write.record({ type: 'project.created', subject: project.id, project: project.id, changed })
  return project
}

/** The projects of a key are a list, which a new project would not be in. */
export function refuseBound({ view }: Caller<'projects.manage'>): void {
  if (view.isAll) return
  const detail = 'Your key is bound to projects, so it cannot create one.'
  throw new Failure('beyond_your_rights', detail, { missing_rights: ['projects'] })
}

/** Codes are one namespace. A caller who may not see the project learns only that it has one. */
export function refuseTakenCode(
  caller: Caller<'projects.manage'>,
  { code }: Pick<StoredProject, 'code'>,
  codes: ReadonlyMap<string, string>,
): void {
  const taken = codes.get(code)
  if (taken === undefined) return
  const pointer = '/code'
  if (!mayRead(caller, taken)) throw new Failure('project_code_taken', undefined, { pointer })
  const detail = `The project ${taken} already has the code ${code}.`
  throw new Failure('project_code_taken', detail, { conflicting_id: taken, pointer })
}

function refuseInvalidDates({ starts_on, due_on }: StoredProject): void {
  if (!starts_on || !due_on || starts_on <= due_on) return
  throw invalid({
    pointer: '/due_on',
    code: 'out_of_order',
    detail: 'must not be before starts_on',
  })
}

const writable = patchNames(projectFields)

export function updateProject(
  caller: Caller<'projects.manage'>,
  id: string,
  patch: ProjectPatch,
): Promise<Project> {
  return caller.database.write(caller, async (write) => {
    const people = await shareLockPeopleById(write, [patch.owner_user_id])
    const { project } = await lockProject(write, openProject(caller, id, 'manage'))
    refuseStale(caller, project)
    refuseArchived(project)
    const { metadata, ...rest } = patch
    const merged = {
      ...rest,
      ...(metadata && { metadata: mergedMetadata(project.metadata, metadata) }),
    }
    const after = applyProjectPatch(caller, project, { patch: merged, write, people })
    await reserveExternalId(write, 'projects', { before: project, after })
    if (after.risk_appetite !== project.risk_appetite) requestSweep(write)
    return saveProject(write, { before: project, after, type: 'project.updated' })
  })
}

export const projectAdvice = { health_set_at: 'The service sets it when health changes' }

/** The project after a patch whose metadata are complete. */
export function applyProjectPatch(
  caller: Caller<'projects.manage'>,
  project: StoredProject,
  { patch, write, people }: ProjectContext & { readonly patch: object },
): StoredProject {
  const fields = applyPatch(project, patch, { writable, advice: projectAdvice })
  if (fields.owner_user_id !== project.owner_user_id) {
    refuseUnassignable(people, fields.owner_user_id, '/owner_user_id')
  }
  const after = { ...project, ...fields }
  refuseInvalidDates(after)
  const isHealthChanged =
    after.health !== project.health || after.health_note !== project.health_note
  if (isHealthChanged) after.health_set_at = after.health === null ? null : write.now
  if (after.risk_appetite !== project.risk_appetite) {
    refuseAppetite(caller, 'Changing the risk appetite')
  }
  return after
}

export const saveProject = (write: Write, saving: SaveInput<StoredProject>) =>
  save(write, saving, upsertProject)

/**
 * Takes a share lock, so writes to items of one project run in parallel. To change the project or
 * take a reference number, use `lockProject`.
 */
export async function shareLockForItems(
  write: Write,
  opened: OpenedProject<'manage'>,
): Promise<StoredProject> {
  const locked = await shareLockProject(write, opened)
  if (locked === null) throw projectNotFound(opened.id)
  return locked.project
}

export async function lockProject(
  write: Write,
  opened: OpenedProject<'manage'>,
): Promise<LockedProject> {
  const [locked] = await lockProjects(write, [opened])
  if (locked === undefined) throw projectNotFound(opened.id)
  return locked
}

export function refuseArchived({ id, status }: StoredProject): void {
  if (status !== 'archived') return
  throw new Failure('project_archived', `The project ${id} is archived. Restore it first.`)
}
