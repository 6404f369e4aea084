import { limits } from '@muster/contract'

import { Failure } from '#domain/engine/failure'

import { OpenCounts } from './open-counts.ts'

/** Limits the sign-in tests of a workspace that run at once, in this process. */
export class SignInTestLimit {
  readonly #running = new OpenCounts()

  /** Runs a test, or refuses it. */
  async run<T>(workspaceId: string, test: () => Promise<T>): Promise<T> {
    if (this.#running.of(workspaceId) >= limits.signInTestsPerWorkspace) {
      throw new Failure('too_many_sign_in_tests')
    }
    const end = this.#running.open(workspaceId)
    try {
      return await test()
    } finally {
      end()
    }
  }
}
