import type { WorkspaceMemory } from './workspace-memory.ts'

/** A row as JSON, and what a page needs to add to it. */
export interface RowText {
  readonly version: number
  /** The epoch and the server that the version is of: another one gives the number again. */
  readonly server: string
  readonly text: string
  readonly projectId: string | null
}

type RowVersion = Pick<RowText, 'version' | 'server'> & { readonly id: string }

/** How many pages of a table are read with their rows before their keys are tried again. */
interface Pause {
  pages: number
  /** The length of the last pause. */
  length: number
}

const pauseMax = 16

const rowName = (table: string, id: string) => `row ${table} ${id}`
const pauseName = (table: string) => `pause ${table}`

/** The rows that were read before. A text is valid for one version of its row. */
export class RowTexts {
  readonly #memory: WorkspaceMemory
  #hits = 0
  #misses = 0

  constructor(memory: WorkspaceMemory) {
    this.#memory = memory
  }

  get isOff(): boolean {
    return this.#memory.isOff
  }

  get counts() {
    return { hits: this.#hits, misses: this.#misses }
  }

  find(workspaceId: string, table: string, { id, version, server }: RowVersion): RowText | null {
    // The cast holds because no other value has the name of a row.
    const row = this.#memory.get(workspaceId, rowName(table, id)) as RowText | undefined
    const isCurrent = row?.version === version && row.server === server
    if (isCurrent) this.#hits += 1
    else this.#misses += 1
    return isCurrent ? row : null
  }

  keep(workspaceId: string, table: string, { id, ...row }: RowText & RowVersion): void {
    const size = 2 * row.text.length
    this.#memory.set(workspaceId, rowName(table, id), { value: row, size })
  }

  /** Whether the rows of a table are likely to be known. The first page is read with them. */
  isKnown(workspaceId: string, table: string): boolean {
    const pause = this.#pauseOf(workspaceId, table)
    if (pause.pages === 0) return true
    pause.pages -= 1
    return false
  }

  /** Pauses longer each time, so that unknown rows cost no more than without texts. */
  judge(workspaceId: string, table: string, isWorth: boolean): void {
    const pause = this.#pauseOf(workspaceId, table)
    pause.length = isWorth ? 0 : Math.min(pauseMax, 2 * pause.length + 1)
    pause.pages = pause.length
  }

  #pauseOf(workspaceId: string, table: string): Pause {
    const name = pauseName(table)
    // The cast holds because no other value has this name.
    const known = this.#memory.get(workspaceId, name) as Pause | undefined
    if (known) return known
    const pause = { pages: 1, length: 0 }
    this.#memory.set(workspaceId, name, { value: pause, size: 0 })
    return pause
  }
}
