import { limits } from '@muster/contract'

import { Failure } from '#domain/engine/failure'

/** Limits the sign-in tests of a workspace that run at once, in this process. */
export class SignInTestLimit {
  readonly #running = new Map<string, number>()

  /** Runs a test, or refuses it. */
  async run<T>(workspaceId: string, test: () => Promise<T>): Promise<T> {
    const running = this.#running.get(workspaceId) ?? 0
    if (running >= limits.signInTestsPerWorkspace) throw new Failure('too_many_sign_in_tests')
    this.#running.set(workspaceId, running + 1)
    try {
      return await test()
    } finally {
      const left = (this.#running.get(workspaceId) ?? 1) - 1
      if (left === 0) this.#running.delete(workspaceId)
      else this.#running.set(workspaceId, left)
    }
  }
}
