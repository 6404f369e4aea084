import type { Passkey } from '@muster/contract'

import { type Caller, type SignInPlace, system } from '#domain/engine/caller'
import { selectLiveLinkHolder } from '#storage/nouns/links'
import { selectWorkspace } from '#storage/nouns/workspace'
import type { Database } from '#storage/transaction/database'

import { attemptLink } from './link-attempt.ts'
import { linkProof } from './links.ts'
import { addPasskey, beginRegistration } from './passkeys.ts'
import type { RefusalLog } from './refusal-log.ts'
import type { RegistrationAnswer } from './relying-party.ts'
import { isMethodAllowed, refuseMethod } from './sign-in-methods.ts'

interface EnrolmentDependencies {
  readonly database: Database
  readonly publicUrl: string
  readonly refusals: RefusalLog
}

/** The answer of a new passkey, and the token of the cookie that came with its options. */
interface Enrolment {
  readonly token: string | null
  readonly name: string
  readonly response: RegistrationAnswer
}

/**
 * Adds a passkey with a one-time link, and without a session: for workspaces that do not allow
 * sign-in by link. The link is used up with the passkey, so that a cancelled attempt can be
 * repeated. Every refusal of a link is null, as at a sign-in.
 */
export class LinkEnrolment {
  readonly #dependencies: EnrolmentDependencies

  constructor(dependencies: EnrolmentDependencies) {
    this.#dependencies = dependencies
  }

  /** Options for a new passkey, and the token of the cookie. */
  async begin(place: SignInPlace, linkToken: string) {
    const holder = await this.#holder(place, linkToken)
    return holder && beginRegistration(holder.caller)
  }

  async finish(
    place: SignInPlace,
    linkToken: string,
    enrolment: Enrolment,
  ): Promise<Passkey | null> {
    const holder = await this.#holder(place, linkToken)
    return holder && addPasskey(holder.caller, { ...enrolment, link: linkProof(holder.hash) })
  }

  /** The person of the link as a caller who may only add a passkey. */
  async #holder(place: SignInPlace, linkToken: string) {
    const { workspaceId, origin } = place
    const { database, publicUrl, refusals } = this.#dependencies
    const found = await attemptLink(refusals, { place, token: linkToken }, (hash) =>
      database.read(place, async (read) => {
        if (!(await isMethodAllowed(read, 'passkey'))) return 'not_allowed'
        const userId = await selectLiveLinkHolder(read, hash)
        if (userId === null) return null
        const { status } = await selectWorkspace(read)
        return status === 'active' ? { userId, hash } : null
      }),
    )
    if (found === 'not_allowed') return refuseMethod(refusals, { ...place, method: 'passkey' })
    if (found === null) return null
    const actor = { type: 'person', id: found.userId, user_id: found.userId } as const
    const caller: Caller<'person'> = { ...system(database, workspaceId), actor, origin, publicUrl }
    return { caller, hash: found.hash }
  }
}
