import { createHash } from 'node:crypto'

import { sql } from 'kysely'

import { uuidOf } from '#storage/values/id'

import { isOneOf, nil } from './keyset.ts'

declare const opened: unique symbol

/** What a caller may do with a project. Who may manage it may read it. */
export type ProjectRight = 'read' | 'manage'

/**
 * A project that a request names. Only a view opens one. If the view does not show the project,
 * `uuid` is of no project: every statement then finds what it finds for an unknown id.
 */
export interface OpenedProject<R extends ProjectRight = ProjectRight> {
  /** The id in the request. */
  readonly id: string
  readonly uuid: string
  readonly right: R
  /** Never set: so nothing else has this type. */
  readonly [opened]: true
}

/** A risk, an issue or a task by its path. It is not found under the id of another project. */
export interface OpenedItem<R extends ProjectRight = ProjectRight> {
  readonly project: OpenedProject<R>
  readonly id: string
}

/** The projects of a list. Only a view makes one. */
export interface ProjectScope {
  /** Null for all projects. */
  readonly uuids: readonly string[] | null
  /** Whether they come from the view, not from a query. */
  readonly isOfView: boolean
  readonly [opened]: true
}

/** The most index ranges of which each may fill a page with rows that are read. */
const rangesMax = 5

/**
 * Whether a list of these projects, which have this number of index ranges each, reads ids first.
 * A query that names projects never does.
 */
export const isWide = ({ uuids, isOfView }: ProjectScope, rangesEach = 1): boolean =>
  isOfView && uuids !== null && uuids.length * rangesEach > rangesMax

/** The projects that a request may see: all, or those of its key. Nothing else exists for it. */
export class View {
  readonly #ids: ReadonlySet<string> | null
  /** A short name of what the view shows; empty for all projects. */
  readonly label: string

  private constructor(ids: readonly string[] | null) {
    this.#ids = ids && new Set(ids)
    this.label = ids === null ? '' : labelOf(ids)
  }

  static readonly all = new View(null)
  static readonly none = new View([])

  /** The projects with these ids. */
  static listed(ids: readonly string[]): View {
    return new View(ids)
  }

  get isAll(): boolean {
    return this.#ids === null
  }

  shows(projectId: string): boolean {
    return this.#ids === null || this.#ids.has(projectId)
  }

  /** Whether everything that the other view shows is in this one. */
  covers(other: View): boolean {
    if (this.#ids === null) return true
    return other.#ids !== null && [...other.#ids].every((id) => this.shows(id))
  }

  open<R extends ProjectRight>(id: string, right: R): OpenedProject<R> {
    const uuid = this.shows(id) ? uuidOf(id) : nil
    // The cast holds because the symbol has no value.
    return { id, uuid, right } as OpenedProject<R>
  }

  /** Those of the asked projects that the view shows; without a question, all that it shows. */
  scope(asked?: readonly string[]): ProjectScope {
    const ids = asked?.filter((id) => this.shows(id)) ?? (this.#ids && [...this.#ids])
    const uuids = ids?.map(uuidOf) ?? null
    // The cast holds because the symbol has no value.
    return { uuids, isOfView: asked === undefined } as ProjectScope
  }
}

/** 64 bits: ETags and names of pages have it. */
function labelOf(ids: readonly string[]): string {
  return createHash('sha256').update(ids.toSorted().join()).digest('hex').slice(0, 16)
}

/** The condition that the view shows the project in this column; nothing if it shows all. */
export function isShown({ view }: { readonly view: View }, column: string) {
  const { uuids } = view.scope()
  return uuids ? sql` and ${isOneOf(column, uuids)}` : sql``
}
