import type { SignInMethod } from '@muster/contract'

import type { SignInPlace } from '#domain/engine/caller'
import { selectPasskeyByCredential, updatePasskeyUse } from '#storage/nouns/passkeys'
import { deleteOldFlows, insertFlow, takeFlow } from '#storage/nouns/sign-in-flows'
import {
  hasProvider,
  selectOnlyWorkspace,
  selectSignInMethods,
} from '#storage/nouns/sign-in-methods'
import { selectOwnName, selectWorkspaceBySlug } from '#storage/nouns/workspaces'
import type { Database } from '#storage/transaction/database'
import { decodeId } from '#storage/values/id'

import { BriefCache } from './brief-cache.ts'
import { flowHashOf, flowsMax, issueFlowToken } from './flow-token.ts'
import { attemptLink } from './link-attempt.ts'
import { linkProof, previewLink } from './links.ts'
import { failedSignIn, type RefusalLog } from './refusal-log.ts'
import {
  type AuthenticationAnswer,
  authenticationOptions,
  challengeMinutes,
  verifyAuthentication,
} from './relying-party.ts'
import type { SessionManager } from './sessions.ts'

interface SignInDependencies {
  readonly database: Database
  readonly sessions: SessionManager
  readonly publicUrl: string
  readonly refusals: RefusalLog
}

/** What the sign-in page of a workspace shows. */
interface SignInMethods {
  readonly workspace: { readonly id: string; readonly name: string }
  /** Whether people can sign in with an identity provider: it is set, and allowed. */
  readonly has_provider: boolean
  readonly allowed_methods: readonly SignInMethod[]
}

/** The answer of a passkey, and the token of the cookie that came with its options. */
interface PasskeyAnswer {
  readonly token: string | null
  readonly response: AuthenticationAnswer
}

/**
 * Sign-in of people, before anything is authenticated. Every refusal is null: the response must not
 * reveal whether the person, the link or the passkey exists. The audit log has the reason.
 */
export class SignInAttempts {
  readonly #database: Database
  readonly #sessions: SessionManager
  readonly #publicUrl: string
  readonly #refusals: RefusalLog
  readonly #methods = new BriefCache<SignInMethods>()
  readonly #onlyWorkspace = new BriefCache<{ readonly id: string | null }>()

  constructor({ database, sessions, publicUrl, refusals }: SignInDependencies) {
    this.#refusals = refusals
    this.#database = database
    this.#sessions = sessions
    this.#publicUrl = publicUrl
  }

  /** The name of a workspace and the ways to sign in to it; null for an unknown id or slug. */
  methods(idOrSlug: string) {
    return this.#methods.get(idOrSlug, async () => {
      const isId = decodeId(idOrSlug)?.prefix === 'wsp'
      const workspaceId = isId
        ? idOrSlug
        : await this.#database.ask((db) => selectWorkspaceBySlug({ db }, idOrSlug))
      if (workspaceId === null) return null
      return this.#database.read({ workspaceId }, async (read) => {
        const [workspace, hasAny, allowed] = await Promise.all([
          selectOwnName(read),
          hasProvider(read),
          selectSignInMethods(read),
        ])
        const allowed_methods = allowed ?? []
        const has_provider = hasAny && allowed_methods.includes('provider')
        return workspace && { workspace, has_provider, allowed_methods }
      })
    })
  }

  /** The id of the workspace, if there is only one. */
  async onlyWorkspace(): Promise<string | null> {
    const found = await this.#onlyWorkspace.get('', async () => ({
      id: await this.#database.ask(selectOnlyWorkspace),
    }))
    return found?.id ?? null
  }

  /** Whom a one-time link signs in, and where. The link stays usable. */
  previewLink(place: SignInPlace, token: string) {
    return attemptLink(this.#refusals, { place, token }, (hash) =>
      this.#database.read(place, (read) => previewLink(read, hash)),
    )
  }

  /** Uses a one-time link up and starts the session of its person. */
  withLink(place: SignInPlace, token: string) {
    return attemptLink(this.#refusals, { place, token }, (hash) =>
      this.#sessions.startWithProof({ ...place, method: 'link' }, linkProof(hash)),
    )
  }

  /** Options for any passkey, and the token of the cookie; null for an unknown workspace. */
  async beginPasskey(workspaceId: string) {
    const options = await authenticationOptions(this.#publicUrl)
    const { token, hash } = issueFlowToken()
    const data = { challenge: options.challenge }
    const isKnown = await this.#database.writeUnnumbered({ workspaceId }, async (read) => {
      if ((await selectOwnName(read)) === null) return false
      await deleteOldFlows(read, flowsMax)
      await insertFlow(read, { hash, kind: 'passkey', data, minutes: challengeMinutes })
      return true
    })
    return isKnown ? { options, token } : null
  }

  /** Starts the session of the person whose passkey signed the challenge of this browser. */
  async withPasskey({ workspaceId, origin }: SignInPlace, { token, response }: PasskeyAnswer) {
    const found = token === null ? null : await this.#findPasskey(workspaceId, token, response.id)
    const counter = found && (await verifyAuthentication(this.#publicUrl, response, found))
    const started =
      found === null || counter === null
        ? null
        : await this.#sessions.startWithProof(
            { workspaceId, origin, method: 'passkey' },
            {
              find: async () => found.passkey.user_id,
              use: (read) => updatePasskeyUse(read, found.passkey, counter),
            },
          )
    const refused = { workspaceId, reason: 'passkey_refused', origin }
    if (started === null) this.#refusals.record(failedSignIn(refused))
    return started
  }

  /** Takes the challenge, which works once, and finds the passkey that claims to sign it. */
  #findPasskey(workspaceId: string, token: string, credentialId: string) {
    return this.#database.writeUnnumbered({ workspaceId }, async (read) => {
      const flow = { hash: flowHashOf(token), kind: 'passkey' } as const
      // The cast holds because `beginPasskey` stored the data.
      const data = (await takeFlow(read, flow)) as { challenge: string } | null
      const passkey = await selectPasskeyByCredential(read, credentialId)
      return data && passkey && { challenge: data.challenge, passkey }
    })
  }
}
