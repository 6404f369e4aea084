import { type Project, projectFields } from '@muster/contract'
import { type Selectable, sql } from 'kysely'

import { containsText, isAmong } from '#storage/lists/conditions'
import { anyOrder, type DirectoryOrder, sortedBy } from '#storage/lists/directory'
import {
  conditionsOf,
  type FilterColumns,
  type GivenQuery,
  givenFilters,
} from '#storage/lists/filters'
import { leadingKeys, type List, type ListQuery } from '#storage/lists/index-ranges'
import { dayKey, type SortKey, sortingOf } from '#storage/lists/sort-keys'
import type { DB } from '#storage/schema/tables'
import type { Read, RowWrite, Write } from '#storage/statements/access'
import { isOneOf, isOwn, nil } from '#storage/statements/keyset'
import type { OpenedProject, ProjectScope } from '#storage/statements/view'
import { fold, sortName } from '#storage/values/fold'
import { encodeId, uuidOf } from '#storage/values/id'

import { storedFields } from './stored-fields.ts'

type Row = Selectable<DB['projects']>
export type StoredProject = Project

const stored = storedFields<'projects', StoredProject, 'sort_name' | 'search_text'>(projectFields, {
  also: ['sort_name', 'risk_number', 'issue_number', 'task_number'],
  fixed: ['code', 'created_at'],
  computed: ['version'],
  forms: {},
})

export const { columns: projectColumns, present: presentProject } = stored

/** The narrowest first. */
const filters: FilterColumns<ProjectFilter> = {
  project_id: { column: 'id', kind: 'id' },
  code: { column: 'code', kind: 'text' },
  external_id: { column: 'external_id', kind: 'text' },
}

type ProjectFilter = 'project_id' | 'code' | 'external_id'

export interface ProjectsFilter extends GivenQuery<ProjectFilter> {
  readonly statuses: readonly string[]
  /** `none` matches projects without an owner. */
  readonly ownerIds?: readonly string[] | undefined
  /** `none` matches projects without a report. No index leads to them: they are tested. */
  readonly healths?: readonly string[] | undefined
  readonly q: string | null
}

const isFiltered = (filter: ProjectsFilter) =>
  givenFilters(filters, filter).some(({ values }) => values !== null) ||
  filter.ownerIds !== undefined ||
  filter.healths !== undefined

function projectsQuery(filter: ProjectsFilter, order: DirectoryOrder): ListQuery {
  const { statuses, ownerIds, healths, q } = filter
  const given = givenFilters(filters, filter)
  // The index by owner has no projects without one.
  const owners = ownerIds?.includes('none') ? null : (ownerIds?.map(uuidOf) ?? null)
  return {
    table: 'projects',
    columns: projectColumns,
    ...sortedBy(order),
    keys: leadingKeys([
      ...given,
      { column: 'owner_user_id', type: 'uuid', values: owners },
      { column: 'status', type: 'text', values: statuses },
    ]),
    search: isFiltered(filter) ? null : q,
    where: [
      isAmong('status', statuses, 'text'),
      ...conditionsOf(given),
      isAmong('owner_user_id', orNull(ownerIds, uuidOf), 'uuid'),
      isAmong('health', orNull(healths, String), 'text'),
      containsText(q),
    ],
  }
}

const orNull = (values: readonly string[] | undefined, columnOf: (value: string) => string) =>
  values?.map((value) => (value === 'none' ? null : columnOf(value))) ?? null

/**
 * Worst first: off track, at risk, the others; in each by the worst rank of a live risk, which is
 * at least -255. Projects that have ended come last.
 */
const worst: SortKey = {
  columns: ['status', 'health'],
  text: (own) => sql`lpad((255
    + case when item.status in ('completed', 'cancelled', 'archived') then 3000 else 0 end
    + case item.health when 'off_track' then 0 when 'at_risk' then 1000 else 2000 end
    + coalesce((select risks.rank_key from risks
        where ${isOwn(own, 'risks')} and risks.project_id = item.id and risks.is_live
        order by risks.rank_key, risks.id limit 1), 0)
  )::text, 4, '0')`,
}

const sorts = { worst, owner: { person: 'owner_user_id' }, due_on: dayKey('due_on') }

/** Projects in an order that an index has, unless `sort` is another one. */
export function projectsList(
  filter: ProjectsFilter,
  order: DirectoryOrder,
  sort?: string,
): List<StoredProject> {
  const query = projectsQuery(filter, order)
  const list = { query, countQuery: projectsQuery(filter, anyOrder), present: presentProject }
  const sorting = sortingOf(sorts, sort)
  if (sorting === undefined) return list
  // Without a filter there is no condition, so that an index-only scan gives the keys.
  return { ...list, query: isFiltered(filter) ? query : { ...query, where: [] }, sorting }
}

export async function selectProject(
  read: Read,
  { uuid }: OpenedProject,
): Promise<StoredProject | null> {
  const row = await read.db
    .selectFrom('projects')
    .select(projectColumns)
    .where('workspace_id', '=', read.workspaceId)
    .where('id', '=', uuid)
    .executeTakeFirst()
  return row ? presentProject(row) : null
}

/** Those of the projects that exist. */
export async function selectProjectIds(read: Read, { uuids }: ProjectScope): Promise<string[]> {
  const rows = await read.db
    .selectFrom('projects')
    .select('id')
    .where('workspace_id', '=', read.workspaceId)
    .where(isOneOf('id', uuids ?? []))
    .execute()
  return rows.map(({ id }) => encodeId('prj', id))
}

export interface NamedProject {
  readonly id: string
  readonly code: string
  readonly name: string
}

/** One page of project names, by an index-only scan. */
export async function selectProjectNames(
  read: Read,
  after: string | null,
  limit: number,
): Promise<NamedProject[]> {
  const rows = await read.db
    .selectFrom('projects')
    .select(['id', 'code', 'name'])
    .where('workspace_id', '=', read.workspaceId)
    .where('id', '>', after === null ? nil : uuidOf(after))
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id, code, name }) => ({ id: encodeId('prj', id), code, name }))
}

/** The ids of the projects that have these codes, by code. */
export async function selectProjectsByCode(
  read: Read,
  codes: readonly string[],
): Promise<Map<string, string>> {
  if (codes.length === 0) return new Map()
  const rows = await read.db
    .selectFrom('projects')
    .select(['id', 'code'])
    .where('workspace_id', '=', read.workspaceId)
    .where(sql<boolean>`code = any(${codes}::text[])`)
    .execute()
  return new Map(rows.map(({ id, code }) => [code, encodeId('prj', id)]))
}

/** The last reference numbers that a project has assigned. */
export interface ReferenceNumbers {
  readonly risk_number: number
  readonly issue_number: number
  readonly task_number: number
}

export interface LockedProject extends ReferenceNumbers {
  readonly project: StoredProject
}

const presentLockedProject = (row: Row): LockedProject => ({
  project: presentProject(row),
  risk_number: row.risk_number,
  issue_number: row.issue_number,
  task_number: row.task_number,
})

/** Takes a share lock: the project cannot change until the write ends. */
export async function shareLockProject(
  write: Write,
  { uuid }: OpenedProject<'manage'>,
): Promise<LockedProject | null> {
  const row = await write.db
    .selectFrom('projects')
    .select(projectColumns)
    .where('workspace_id', '=', write.workspaceId)
    .where('id', '=', uuid)
    .forShare()
    .executeTakeFirst()
  return row ? presentLockedProject(row) : null
}

/** Takes exclusive row locks until the write ends, in id order to avoid deadlocks. */
export async function lockProjects(
  read: Read,
  projects: readonly OpenedProject<'manage'>[],
): Promise<LockedProject[]> {
  const uuids = projects.map(({ uuid }) => uuid)
  const rows = await read.db
    .selectFrom('projects')
    .select(projectColumns)
    .where('workspace_id', '=', read.workspaceId)
    .where(isOneOf('id', uuids))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return rows.map(presentLockedProject)
}

/** Reference numbers are never reused. Updating them does not change the version. */
export function updateReferenceNumbers(
  write: Write,
  { uuid }: OpenedProject<'manage'>,
  numbers: Partial<ReferenceNumbers>,
): void {
  write.add(
    write.db
      .updateTable('projects')
      .set(numbers)
      .where('workspace_id', '=', write.workspaceId)
      .where('id', '=', uuid),
  )
}

/**
 * Writes a project, its history and the counters. The roll-ups show its name, so a new name also
 * changes their sequence numbers. `before` is null for a new one.
 */
export function upsertProject(
  write: RowWrite,
  before: StoredProject | null,
  after: StoredProject,
): void {
  const { code, name } = after
  const keys = { sort_name: sortName(name), search_text: fold(`${code} ${name}`) }
  if (before === null) {
    write.insert('projects', { ...stored.newRow(after, keys), ...initialNumbers })
  } else write.update('projects', stored.changedRow(after, keys))
  const isCurrent = Number(after.status !== 'archived')
  write.count('projects', isCurrent - Number(before !== null && before.status !== 'archived'))
  write.touch('projects')
  if (before !== null && before.name !== after.name) write.touch('risks', 'issues')
  write.keep({ noun: 'project', before, after })
}

/** Inserted rows name every column, so defaults of the table do not apply. */
const initialNumbers = { risk_number: 0, issue_number: 0, task_number: 0 }
