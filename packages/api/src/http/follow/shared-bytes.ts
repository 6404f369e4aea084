import type { FollowedPage } from './followers.ts'

/** The bytes of pages. Followers that share a page share its bytes: a page can have megabytes. */
export class SharedBytes {
  readonly #write: (page: FollowedPage) => Buffer
  readonly #known = new WeakMap<FollowedPage, Buffer>()

  constructor(write: (page: FollowedPage) => Buffer) {
    this.#write = write
  }

  of(page: FollowedPage): Buffer {
    const bytes = this.#known.get(page) ?? this.#write(page)
    this.#known.set(page, bytes)
    return bytes
  }
}
