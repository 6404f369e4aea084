import type { Collection, Scope } from '@muster/contract'

import type { Principal } from '#domain/auth/authenticate'
import type { AsOf, Points } from '#domain/engine/listing'
import type { WorkspaceMemory } from '#domain/engine/workspace-memory'
import type { Encoding } from '#http/request/negotiate'

/** A page as it is sent. */
export interface StoredPage {
  /** The sequence numbers of the snapshot that it was read in. */
  readonly asOf: AsOf
  readonly body: Buffer
  readonly isCompressed: boolean
  /** The Link header; null on the last page. */
  readonly link: string | null
}

export interface CachedRead {
  readonly workspaceId: string
  /** Everything else that the page depends on, besides the data and the view. */
  readonly name: string
  readonly view: Principal['view']
  /** The collections whose data the page contains. */
  readonly shown: readonly Collection[]
  /** The sequence numbers at authentication. An older page is never sent. */
  readonly atLeast: AsOf
}

/** What the page that a request asks for depends on, besides its caller and the data. */
export interface Recipe {
  /** The name of the page in the page cache. */
  readonly name: string
  /** The collections whose data the page contains or depends on. */
  readonly shown: readonly Collection[]
  /** The scopes that its extras and its order need, besides the scope of the operation. */
  readonly scopes: readonly Scope[]
  readonly mediaType: string
  readonly encoding: Encoding
  readonly points: ResolvedPoints | undefined
}

/** The points in time of a request. */
export interface ResolvedPoints {
  readonly numbers: Points
  /** The address with the numbers, for Content-Location. */
  readonly address: string
  /** Whether the request has numbers: then its address always means the same. */
  readonly areGiven: boolean
}

type Named = Pick<CachedRead, 'name' | 'view'>

/** The length of an address whose recipe is kept. */
const addressMax = 500
const pageBytesMax = 256 * 1024

const pageName = ({ name, view }: Named) => `page ${name} ${view.label}`
const recipeName = (address: string) => `recipe ${address}`

/**
 * Pages in memory. A page is sent only if its snapshot is not older than the authentication of the
 * request, which reads the sequence numbers of the workspace: a fresh read could return the same.
 */
export class PageCache {
  readonly #memory: WorkspaceMemory
  readonly #reading = new Map<string, Promise<StoredPage>>()
  #hits = 0
  #misses = 0

  constructor(memory: WorkspaceMemory) {
    this.#memory = memory
  }

  get counts() {
    return { hits: this.#hits, misses: this.#misses, bytes: this.#memory.bytes }
  }

  /** Returns the page from memory, from the same read of another request, or from `read`. */
  async get(request: CachedRead, read: () => Promise<StoredPage>): Promise<StoredPage> {
    if (this.#memory.isOff) return read()
    const id = `${request.workspaceId} ${pageName(request)}`
    for (;;) {
      const kept = this.find(request)
      if (kept !== null) return kept
      const others = this.#reading.get(id)
      if (others === undefined) return this.#read(id, request, read)
      const page = await others.catch(() => null)
      // What failed for another request is tried again, without others that wait for it.
      if (page === null) return read()
      if (isCurrent(page, request)) return page
    }
  }

  async #read(id: string, request: CachedRead, read: () => Promise<StoredPage>) {
    this.#misses += 1
    const reading = read()
    this.#reading.set(id, reading)
    try {
      const page = await reading
      this.#keep(request, page)
      return page
    } finally {
      this.#reading.delete(id)
    }
  }

  /** A page that is current. An older one is deleted, so that erased data does not stay. */
  find(request: CachedRead): StoredPage | null {
    const { workspaceId } = request
    const name = pageName(request)
    // The cast holds because no other value has the name of a page.
    const page = this.#memory.get(workspaceId, name) as StoredPage | undefined
    if (page === undefined) return null
    if (!isCurrent(page, request)) {
      this.#memory.delete(workspaceId, name)
      return null
    }
    this.#hits += 1
    return page
  }

  /** Remembers which page a request is for. */
  learn(workspaceId: string, address: string, recipe: Recipe): void {
    if (address.length > addressMax || this.recipeOf(workspaceId, address) !== null) return
    this.#memory.set(workspaceId, recipeName(address), { value: recipe, size: 0 })
  }

  /** The page that a request is for; null if it is not known. */
  recipeOf(workspaceId: string, address: string): Recipe | null {
    // The cast holds because no other value has the name of a recipe.
    return (this.#memory.get(workspaceId, recipeName(address)) as Recipe | undefined) ?? null
  }

  #keep(request: CachedRead, page: StoredPage): void {
    if (page.body.length > pageBytesMax) return
    const size = page.body.length + 2 * (page.link?.length ?? 0)
    this.#memory.set(request.workspaceId, pageName(request), { value: page, size })
  }
}

/** Whether the snapshot of the page contains all that the caller may have seen. */
function isCurrent({ asOf }: StoredPage, { shown, atLeast }: CachedRead): boolean {
  return (
    asOf.server === atLeast.server &&
    shown.every((name) => asOf.numbers[name] >= atLeast.numbers[name])
  )
}
