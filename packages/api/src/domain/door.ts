import type { Scope } from '@muster/contract'

import type { Caller } from '#domain/caller'
import { Failure } from '#domain/failure'
import { readToken } from '#domain/token'
import type { Database } from '#storage/database'
import { type Knock, selectVisitors, updateLastUse, type Visitor } from '#storage/keys'

interface Waiting {
  readonly knock: Knock
  readonly admit: (visitor: Visitor | null) => void
  readonly refuse: (error: unknown) => void
}

const questionsMax = 2
const knocksMax = 100

/**
 * Finds out who is asking. Requests that arrive while a question to the database is under way share
 * the next one. Every question starts after the requests it answers for arrived, so a revoked key
 * is refused at once, and a caller finds what it has just written.
 */
export class Door {
  readonly #database: Database
  #waiting: Waiting[] = []
  #questions = 0

  constructor(database: Database) {
    this.#database = database
  }

  /** The holder of a valid key; whoever holds no real secret learns nothing but that. */
  async open(token: string) {
    const knock = readToken(token)
    if (knock === null) throw new Failure('malformed_key')
    const visitor = await this.#find(knock)
    if (visitor === null) throw new Failure('unknown_key')
    if (visitor.status === 'revoked') throw new Failure('key_revoked')
    if (visitor.status === 'expired') throw new Failure('key_expired')
    if (visitor.isUseDue) this.#noteUse(knock.workspaceId, visitor.keyId)
    // The cast holds because only scopes of the contract are ever given to a key.
    return { ...visitor, workspaceId: knock.workspaceId, scopes: visitor.scopes as Scope[] }
  }

  /** The visitor as the domain knows them: whose data they may touch, and on what occasion. */
  caller(
    { workspaceId, keyId }: { workspaceId: string; keyId: string },
    occasion: Pick<Caller<never>, 'requestId' | 'repeatable' | 'onlyIf'>,
  ): Caller<never> {
    const actor = { type: 'key', id: keyId } as const
    return { database: this.#database, workspaceId, actor, ...occasion }
  }

  #find(knock: Knock): Promise<Visitor | null> {
    return new Promise((admit, refuse) => {
      this.#waiting.push({ knock, admit, refuse })
      void this.#ask()
    })
  }

  async #ask(): Promise<void> {
    if (this.#questions === questionsMax || this.#waiting.length === 0) return
    const batch = this.#waiting.splice(0, knocksMax)
    this.#questions += 1
    try {
      const knocks = batch.map(({ knock }) => knock)
      const visitors = await this.#database.ask((db) => selectVisitors(db, knocks))
      for (const [index, { admit }] of batch.entries()) admit(visitors[index] ?? null)
    } catch (error) {
      for (const { refuse } of batch) refuse(error)
    } finally {
      this.#questions -= 1
      void this.#ask()
    }
  }

  /** Nobody waits for this, and nobody is told when it fails: the next request will try again. */
  #noteUse(workspaceId: string, keyId: string): void {
    this.#database.aside({ workspaceId }, (read) => updateLastUse(read, keyId)).catch(() => {})
  }
}
