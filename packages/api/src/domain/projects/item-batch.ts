/** Batches of risks, issues and tasks: of one project, or of several. */

import { limits } from '@muster/contract'

import { refuseWithoutScope } from '#domain/auth/rights'
import {
  type BatchRows,
  byId,
  idsIn,
  type PreparedRows,
  prepareRows,
  rowError,
} from '#domain/engine/batch'
import type { Caller } from '#domain/engine/caller'
import { Failure } from '#domain/engine/failure'
import { matchRows } from '#domain/engine/matches'
import { type LockedPeople, shareLockPeopleById } from '#domain/roster/assignable'
import { type PersonNames, References } from '#domain/roster/references'
import { type Holder, type ItemTable, selectItemsBy } from '#storage/nouns/external-ids'
import {
  type LockedProject,
  lockProjects,
  type ReferenceNumbers,
  selectProjectsByCode,
  updateReferenceNumbers,
} from '#storage/nouns/projects'
import type { Write } from '#storage/statements/access'
import type { OpenedProject } from '#storage/statements/view'

import { ExternalIds } from './external-ids.ts'
import { canonicalDates, type Dated, withoutEmptyDates } from './imported-dates.ts'
import { openProject } from './open-project.ts'
import { lockProject, refuseArchived } from './projects.ts'

interface ItemRow extends Dated {
  readonly id?: string
  readonly external_id?: string | null
  readonly project_id?: string
  readonly project_code?: string
}

interface StoredItem {
  readonly id: string
  readonly project_id: string
}

/** The names of the people of a batch. */
type Stem = 'owner' | 'assignee'

/** What differs between the nouns. */
interface ItemNoun<S extends StoredItem, N extends Stem> {
  readonly table: ItemTable
  readonly stem: N
  readonly number: keyof ReferenceNumbers
  readonly lock: (
    write: Write,
    projects: readonly OpenedProject<'manage'>[],
    ids: readonly string[],
  ) => Promise<S[]>
  /** The user id of the person whom the rows can name. */
  readonly personOf: (item: S) => string | null
}

export interface ItemBatch<R extends ItemRow> extends BatchRows<R> {
  /** The project of the path; null for a batch of several projects. */
  readonly projectId: string | null
}

/** Whether a name is known discloses who is on the roster. */
export function refuseNames(caller: Caller<never>, rows: readonly object[], stem: Stem): void {
  for (const name of [`${stem}_email`, `${stem}_external_id`]) {
    const isNamed = rows.some((row) => row[name as keyof typeof row] !== undefined)
    if (isNamed) refuseWithoutScope(caller, 'personnel.read', name)
  }
}

/** The projects that a batch changes, each locked, with the last numbers of its items. */
class BatchProjects {
  readonly #number: keyof ReferenceNumbers
  readonly #locked: ReadonlyMap<string, LockedProject>
  readonly #created = new Map<string, number>()
  readonly opened: readonly OpenedProject<'manage'>[]
  /** The project of the path. */
  readonly only: LockedProject | null

  private constructor(
    number: keyof ReferenceNumbers,
    opened: readonly OpenedProject<'manage'>[],
    { locked, isOne }: { readonly locked: readonly LockedProject[]; readonly isOne: boolean },
  ) {
    this.#number = number
    this.#locked = new Map(locked.map((each) => [each.project.id, each]))
    this.opened = opened.filter(({ id }) => this.#locked.has(id))
    this.only = isOne ? (locked[0] ?? null) : null
  }

  static async one(
    write: Write,
    number: keyof ReferenceNumbers,
    opened: OpenedProject<'manage'>,
  ): Promise<BatchProjects> {
    const only = await lockProject(write, opened)
    refuseArchived(only.project)
    return new BatchProjects(number, [opened], { locked: [only], isOne: true })
  }

  static async several(
    write: Write,
    number: keyof ReferenceNumbers,
    opened: readonly OpenedProject<'manage'>[],
  ): Promise<BatchProjects> {
    if (opened.length > limits.projectsMax) {
      const detail = `The rows are of ${opened.length} projects, of at most ${limits.projectsMax}.`
      const extras = { count: opened.length, limit: limits.projectsMax }
      throw new Failure('too_many_items', detail, extras)
    }
    const locked = await lockProjects(write, opened)
    return new BatchProjects(number, opened, { locked, isOne: false })
  }

  get(id: string): LockedProject['project'] | null {
    return this.#locked.get(id)?.project ?? null
  }

  /** The project of a row or an item, which the preparation of the rows has found. */
  of({ project_id: id = '' }: { readonly project_id?: string }): LockedProject['project'] {
    const project = this.only?.project ?? this.get(id)
    if (project === null) throw new Error('The project of a prepared row is locked.')
    return project
  }

  byCode(code: string): LockedProject['project'] | null {
    const locked = [...this.#locked.values()].find(({ project }) => project.code === code)
    return locked?.project ?? null
  }

  /** The project of a new item, and its number there. */
  next(row: { readonly project_id?: string }) {
    const project = this.of(row)
    const created = (this.#created.get(project.id) ?? 0) + 1
    this.#created.set(project.id, created)
    const last = this.#locked.get(project.id)?.[this.#number] ?? 0
    return { project, number: last + created }
  }

  /** Updates the last numbers of the projects that have new items. */
  save(write: Write): void {
    for (const opened of this.opened) {
      const created = this.#created.get(opened.id) ?? 0
      const last = this.#locked.get(opened.id)?.[this.#number] ?? 0
      if (created > 0) updateReferenceNumbers(write, opened, { [this.#number]: last + created })
    }
  }
}

/** A batch whose projects, people and items are locked, and whose rows are matched and resolved. */
interface OpenedBatch<R extends ItemRow, S extends StoredItem> {
  readonly rows: PreparedRows<R>
  /** The items of the rows by id. */
  readonly stored: ReadonlyMap<string, S>
  readonly projects: BatchProjects
  readonly people: LockedPeople
  readonly externalIds: ExternalIds
}

export async function openItems<
  R extends ItemRow & PersonNames<N>,
  S extends StoredItem,
  N extends Stem,
>(
  write: Write,
  caller: Caller<'projects.manage'>,
  { noun, batch }: { readonly noun: ItemNoun<S, N>; readonly batch: ItemBatch<R> },
): Promise<OpenedBatch<R, S>> {
  const { table, stem, number, lock, personOf } = noun
  refuseNames(caller, batch.data, stem)
  const references = await References.find(write, { stem, rows: batch.data })
  const people = await shareLockPeopleById(write, references.userIdsIn(batch.data))
  references.refuseMoved(people)
  const projects =
    batch.projectId === null
      ? await BatchProjects.several(
          write,
          number,
          await projectsIn(write, caller, { table, batch }),
        )
      : await BatchProjects.one(write, number, openProject(caller, batch.projectId, 'manage'))
  // The locks on the projects keep the references and external ids of their items as found.
  const matched = await matchRows(batch, {
    find: async (values) => {
      const scope = write.view.scope(projects.opened.map(({ id }) => id))
      const found = await selectItemsBy(write, { table, column: columnOf(batch), scope, values })
      return new Map([...found].map(([value, { id }]) => [value, id]))
    },
  })
  const stored = byId(await lock(write, projects.opened, idsIn(matched)))
  const placed = prepareRows(matched, (row) => {
    const item = stored.get(row.id ?? '')
    const dated = canonicalDates(placeRow(row, item, projects), write)
    return item ? withoutEmptyDates(dated) : dated
  })
  const rows = await references.resolve(write, placed, ({ id = '' }) => {
    const item = stored.get(id)
    return item && personOf(item)
  })
  const externalIds = await ExternalIds.find(write, table, batch.data)
  return { rows, stored, projects, people, externalIds }
}

const columnOf = ({ match }: BatchRows<ItemRow>) => (match === 'ref' ? 'ref' : 'external_id')

interface Located<R extends ItemRow> {
  readonly table: ItemTable
  readonly batch: BatchRows<R>
}

/** The projects that the rows name, and those of the items that the rows find. */
async function projectsIn<R extends ItemRow>(
  write: Write,
  caller: Caller<'projects.manage'>,
  { table, batch }: Located<R>,
): Promise<OpenedProject<'manage'>[]> {
  const { data } = batch
  const found: Holder[] = []
  const scope = write.view.scope()
  const find = async (column: 'id' | 'ref' | 'external_id', values: readonly string[]) => {
    const items = await selectItemsBy(write, { table, column, scope, values })
    found.push(...items.values())
    return new Map([...items].map(([value, { id }]) => [value, id]))
  }
  await find('id', idsIn(batch))
  await matchRows(batch, { find: (values) => find(columnOf(batch), values) })
  const codes = data.flatMap(({ project_code }) => project_code ?? [])
  const coded = await selectProjectsByCode(write, [...new Set(codes)])
  const named = data.flatMap(({ project_id }) => project_id ?? [])
  const ids = new Set([...named, ...coded.values(), ...found.map(({ projectId }) => projectId)])
  return [...ids]
    .filter((id) => write.view.shows(id))
    .map((id) => openProject(caller, id, 'manage'))
}

/** The row with the id of its project, without the code. */
function placeRow<R extends ItemRow>(
  { project_code: code, ...rest }: R,
  item: StoredItem | undefined,
  projects: BatchProjects,
): R {
  // The cast holds because the code of the project is optional.
  const row = rest as R
  // A row whose id is unknown is refused later.
  if (row.id !== undefined && item === undefined) return row
  const project = item ? projects.get(item.project_id) : newItemProject(row, code, projects)
  if (project === null) return row
  if (code !== undefined && code !== project.code) {
    throw !item && projects.only === null
      ? rowError('/project_code', 'conflicting_fields', 'must be the code of project_id')
      : rowError('/project_code', 'read_only_field', `must be ${project.code} or omitted`)
  }
  if (projects.only === null) refuseArchived(project)
  return item ? row : { ...row, project_id: row.project_id ?? project.id }
}

function newItemProject(row: ItemRow, code: string | undefined, projects: BatchProjects) {
  if (projects.only) return projects.only.project
  const { project_id: id } = row
  if (id === undefined && code === undefined) {
    const detail = 'is required in a new row, or project_id'
    throw rowError('/project_code', 'required', detail)
  }
  const project = id === undefined ? projects.byCode(code ?? '') : projects.get(id)
  if (project !== null) return project
  const [name, what] = id === undefined ? ['project_code', 'code'] : ['project_id', 'id']
  throw rowError(`/${name}`, 'unknown_reference', `must be the ${what} of a project`)
}
