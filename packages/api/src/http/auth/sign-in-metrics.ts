import { problems, type Session, sessionMethods } from '@muster/contract'
import { Counter, type Registry } from 'prom-client'

import { failureOf } from '#domain/engine/failure'

type Method = Session['method']

/** A refused sign-in is due to its credential or provider, a failed one to the service. */
const outcomes = ['succeeded', 'refused', 'failed'] as const

/** Counts sign-ins to the console, by method and outcome. */
export class SignInCounter {
  readonly #counter: Counter<'method' | 'outcome'>

  constructor(registry: Registry) {
    this.#counter = new Counter({
      name: 'muster_sign_ins_total',
      help: 'Sign-ins to the console, by method and outcome.',
      labelNames: ['method', 'outcome'],
      registers: [registry],
    })
    for (const method of sessionMethods)
      for (const outcome of outcomes) this.#counter.inc({ method, outcome }, 0)
  }

  /** Counts the outcome of `work`, which returns null or throws a problem when it refuses. */
  async count<T>(method: Method, work: () => Promise<T | null>): Promise<T | null> {
    try {
      const session = await work()
      this.#counter.inc({ method, outcome: session === null ? 'refused' : 'succeeded' })
      return session
    } catch (error) {
      const failure = failureOf(error)
      const isRefusal = failure !== null && problems[failure.problem].status < 500
      this.#counter.inc({ method, outcome: isRefusal ? 'refused' : 'failed' })
      throw error
    }
  }

  /** Counts a sign-in that was refused before the person could prove who they are. */
  countRefusal(method: Method): void {
    this.#counter.inc({ method, outcome: 'refused' })
  }
}
