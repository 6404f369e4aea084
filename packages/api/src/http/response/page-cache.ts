import type { Collection, Scope } from '@muster/contract'

import type { AsOf } from '#domain/engine/listing'
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
  /** Everything else that the page depends on, besides the data. */
  readonly name: string
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
}

/** The pages of one workspace, the least recently used first. */
interface Shelf {
  readonly pages: Map<string, StoredPage>
  /** Which page a request is for, by its address. */
  readonly recipes: Map<string, Recipe>
  bytes: number
}

/** Recipes of a workspace, and the length of their addresses. */
const [recipesMax, addressMax] = [200, 500]

const pageBytesMax = 256 * 1024
/** What a page takes besides its body and its name, and what a recipe takes. */
const overheadBytes = 512

const sizeOf = (name: string, { body, link }: StoredPage) =>
  body.length + 2 * (name.length + (link?.length ?? 0)) + overheadBytes

/**
 * Pages in memory. A page is sent only if its snapshot is not older than the authentication of the
 * request, which reads the sequence numbers of the workspace: a fresh read could return the same.
 * Each workspace can evict the pages of those that hold more than it, and its own, but no others.
 */
export class PageCache {
  readonly #bytesMax: number
  readonly #shelves = new Map<string, Shelf>()
  readonly #reading = new Map<string, Promise<StoredPage>>()
  #bytes = 0
  #hits = 0
  #misses = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  get counts() {
    return { hits: this.#hits, misses: this.#misses, bytes: this.#bytes }
  }

  /** Returns the page from memory, from the same read of another request, or from `read`. */
  async get(request: CachedRead, read: () => Promise<StoredPage>): Promise<StoredPage> {
    if (this.#bytesMax === 0) return read()
    const id = `${request.workspaceId} ${request.name}`
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
    const { workspaceId, name } = request
    const shelf = this.#shelves.get(workspaceId)
    const page = shelf?.pages.get(name)
    if (!shelf || !page) return null
    if (!isCurrent(page, request)) {
      this.#remove(workspaceId, shelf, name)
      return null
    }
    shelf.pages.delete(name)
    shelf.pages.set(name, page)
    this.#hits += 1
    return page
  }

  /** Remembers which page a request is for. */
  learn(workspaceId: string, address: string, recipe: Recipe): void {
    if (this.#bytesMax === 0 || address.length > addressMax) return
    const shelf = this.#shelfOf(workspaceId)
    if (shelf.recipes.has(address)) return
    if (shelf.recipes.size >= recipesMax) this.#forget(shelf)
    shelf.recipes.set(address, recipe)
    this.#count(shelf, overheadBytes)
    while (this.#bytes > this.#bytesMax) this.#evict()
  }

  /** The page that a request is for; null if it is not known. */
  recipeOf(workspaceId: string, address: string): Recipe | null {
    return this.#shelves.get(workspaceId)?.recipes.get(address) ?? null
  }

  #forget(shelf: Shelf): void {
    this.#count(shelf, -overheadBytes * shelf.recipes.size)
    shelf.recipes.clear()
  }

  #count(shelf: Shelf, bytes: number): void {
    shelf.bytes += bytes
    this.#bytes += bytes
  }

  #keep({ workspaceId, name }: CachedRead, page: StoredPage): void {
    if (page.body.length > pageBytesMax || sizeOf(name, page) > this.#bytesMax) return
    const shelf = this.#shelves.get(workspaceId)
    if (shelf) this.#remove(workspaceId, shelf, name)
    this.#add(workspaceId, name, page)
    while (this.#bytes > this.#bytesMax) this.#evict()
  }

  #add(workspaceId: string, name: string, page: StoredPage): void {
    const shelf = this.#shelfOf(workspaceId)
    shelf.pages.set(name, page)
    this.#count(shelf, sizeOf(name, page))
  }

  #shelfOf(workspaceId: string): Shelf {
    const known = this.#shelves.get(workspaceId)
    if (known) return known
    const shelf = { pages: new Map(), recipes: new Map(), bytes: 0 }
    this.#shelves.set(workspaceId, shelf)
    return shelf
  }

  #remove(workspaceId: string, shelf: Shelf, name: string): void {
    const page = shelf.pages.get(name)
    if (!page) return
    shelf.pages.delete(name)
    this.#count(shelf, -sizeOf(name, page))
    if (shelf.bytes === 0) this.#shelves.delete(workspaceId)
  }

  /** Deletes the least recently used page of the workspace that holds the most; at last its recipes. */
  #evict(): void {
    let largest: [string, Shelf] | null = null
    for (const entry of this.#shelves) {
      if (largest === null || entry[1].bytes > largest[1].bytes) largest = entry
    }
    if (largest === null) return
    const [workspaceId, shelf] = largest
    const [oldest] = shelf.pages.keys()
    if (oldest !== undefined) {
      this.#remove(workspaceId, shelf, oldest)
      return
    }
    this.#forget(shelf)
    this.#shelves.delete(workspaceId)
  }
}

/** Whether the snapshot of the page contains all that the caller may have seen. */
function isCurrent({ asOf }: StoredPage, { shown, atLeast }: CachedRead): boolean {
  return (
    asOf.server === atLeast.server &&
    shown.every((name) => asOf.numbers[name] >= atLeast.numbers[name])
  )
}
