import { Passkey } from '@muster/contract'
import type { FastifyInstance } from 'fastify'
import { type Static, Type } from 'typebox'

import type { Authenticator } from '#domain/auth/authenticate'
import type { LinkEnrolment } from '#domain/auth/link-enrolment'
import { addPasskey, beginRegistration } from '#domain/auth/passkeys'
import {
  type AuthenticationAnswer,
  challengeMinutes,
  type RegistrationAnswer,
} from '#domain/auth/relying-party'
import type { SessionManager } from '#domain/auth/sessions'
import type { SignInAttempts } from '#domain/auth/sign-in-attempts'
import { Failure } from '#domain/engine/failure'
import { inputReader } from '#http/request/input'
import { chooseType } from '#http/request/negotiate'

import { browserCaller } from './browser-caller.ts'
import { hostCookie, refuseCrossSite } from './cookie.ts'
import type { RateLimiter } from './rate-limits.ts'
import type { SignInCounter } from './sign-in-metrics.ts'
import { attemptWith, placeOf } from './sign-in-request.ts'
import { sendJson, sendSession, workspaceOf, workspaceParams } from './sign-in-response.ts'

interface PasskeyDependencies {
  readonly authenticator: Authenticator
  readonly signInAttempts: SignInAttempts
  readonly linkEnrolment: LinkEnrolment
  readonly sessions: SessionManager
  readonly rateLimiter: RateLimiter
  readonly signIns: SignInCounter
}

const base64url = (maxLength: number) => Type.String({ maxLength, pattern: '^[A-Za-z0-9_-]*$' })

/** The JSON forms of WebAuthn (Level 3), as far as the service reads them. */
const answerFields = {
  id: base64url(1400),
  rawId: base64url(1400),
  type: Type.String({ maxLength: 20 }),
  clientExtensionResults: Type.Object({}),
}
const Registration = Type.Object({
  name: Passkey.properties.name,
  response: Type.Object({
    ...answerFields,
    response: Type.Object({
      clientDataJSON: base64url(10_000),
      attestationObject: base64url(40_000),
      transports: Type.Optional(
        Type.Array(Type.String({ maxLength: 20, pattern: '^[a-z-]+$' }), { maxItems: 10 }),
      ),
    }),
  }),
})
const Authentication = Type.Object({
  response: Type.Object({
    ...answerFields,
    response: Type.Object({
      clientDataJSON: base64url(10_000),
      authenticatorData: base64url(10_000),
      signature: base64url(10_000),
      userHandle: Type.Optional(base64url(100)),
    }),
  }),
})

/** Strict: no other site needs to cause a request that continues a sign-in. */
const challengeCookie = hostCookie('__Host-muster_passkey', 'Strict')
const newChallengeCookie = (token: string) => challengeCookie.set(token, challengeMinutes * 60)

/**
 * Registration of passkeys and sign-in with them. These routes are not operations of the contract,
 * because only a browser can answer a challenge.
 */
export function addPasskeys(app: FastifyInstance, dependencies: PasskeyDependencies): void {
  addRegistration(app, dependencies)
  addEnrolment(app, dependencies)
  addPasskeySignIn(app, dependencies)
}

function addRegistration(app: FastifyInstance, { authenticator }: PasskeyDependencies): void {
  const readOptions = inputReader({ method: 'POST', body: Type.Object({}) })
  const readAnswer = inputReader({ method: 'POST', body: Registration })
  const rule = { scope: 'person', sessionRule: 'only' } as const
  app.route({
    method: 'POST',
    url: '/account/passkeys/options',
    config: { operation: 'passkeys.begin', ...rule },
    handler: async (request, reply) => {
      chooseType(request.headers, ['application/json'])
      await readOptions(request)
      const caller = browserCaller(request, authenticator, 'passkeys.begin')
      const { options, token } = await beginRegistration(caller)
      reply.header('set-cookie', newChallengeCookie(token))
      return sendJson(reply, 200, options)
    },
  })
  app.route({
    method: 'POST',
    url: '/account/passkeys',
    config: { operation: 'passkeys.create', ...rule },
    handler: async (request, reply) => {
      chooseType(request.headers, ['application/json'])
      const { body } = await readAnswer(request)
      // The casts hold because the body was validated.
      const { name, response: answer } = body as Static<typeof Registration>
      const response = answer as unknown as RegistrationAnswer
      const token = challengeCookie.read(request)
      const caller = browserCaller(request, authenticator, 'passkeys.create')
      const passkey = await addPasskey(caller, { token, name, response })
      reply.header('set-cookie', challengeCookie.expired)
      return sendJson(reply, 201, passkey)
    },
  })
}

const LinkToken = Type.Object(
  { link: Type.String({ maxLength: 200 }) },
  { additionalProperties: false },
)
const EnrolmentAnswer = Type.Object({ ...LinkToken.properties, ...Registration.properties })

/** Registration with a one-time link instead of a session. It starts no session. */
function addEnrolment(
  app: FastifyInstance,
  { linkEnrolment, rateLimiter }: PasskeyDependencies,
): void {
  const params = workspaceParams
  const readOptions = inputReader({ method: 'POST', params, body: LinkToken })
  const readAnswer = inputReader({ method: 'POST', params, body: EnrolmentAnswer })
  app.route({
    method: 'POST',
    url: '/sign-in/:workspace_id/link/passkey/options',
    config: { operation: 'sign_in.enrolment_options', scope: 'none' },
    onRequest: refuseCrossSite,
    handler: async (request, reply) => {
      chooseType(request.headers, ['application/json'])
      const input = await readOptions(request)
      // The cast holds because the body was validated.
      const { link } = input.body as Static<typeof LinkToken>
      const place = placeOf(request, input)
      const attempt = attemptWith(link, () => linkEnrolment.begin(place, link))
      const begun = await rateLimiter.attempt(request, reply, attempt)
      if (begun === null) throw new Failure('sign_in_refused')
      reply.header('set-cookie', newChallengeCookie(begun.token))
      return sendJson(reply, 200, begun.options)
    },
  })
  app.route({
    method: 'POST',
    url: '/sign-in/:workspace_id/link/passkey',
    config: { operation: 'sign_in.enrolment', scope: 'none' },
    onRequest: refuseCrossSite,
    handler: async (request, reply) => {
      chooseType(request.headers, ['application/json'])
      const input = await readAnswer(request)
      // The casts hold because the body was validated.
      const { link, name, response: answer } = input.body as Static<typeof EnrolmentAnswer>
      const response = answer as unknown as RegistrationAnswer
      const token = challengeCookie.read(request)
      const place = placeOf(request, input)
      const answered = { token, name, response }
      const attempt = attemptWith(link, () => linkEnrolment.finish(place, link, answered))
      const passkey = await rateLimiter.attempt(request, reply, attempt)
      if (passkey === null) throw new Failure('sign_in_refused')
      reply.header('set-cookie', challengeCookie.expired)
      return sendJson(reply, 201, passkey)
    },
  })
}

function addPasskeySignIn(app: FastifyInstance, dependencies: PasskeyDependencies): void {
  const { signInAttempts, sessions, rateLimiter, signIns } = dependencies
  const params = workspaceParams
  const readOptions = inputReader({ method: 'POST', params, body: Type.Object({}) })
  const readAnswer = inputReader({ method: 'POST', params, body: Authentication })
  app.route({
    method: 'POST',
    url: '/sign-in/:workspace_id/passkey/options',
    config: { operation: 'sign_in.passkey_options', scope: 'none' },
    onRequest: refuseCrossSite,
    handler: async (request, reply) => {
      chooseType(request.headers, ['application/json'])
      const workspaceId = workspaceOf(await readOptions(request))
      await rateLimiter.admitAnonymous(request, reply, 'signIn')
      const begun = await signInAttempts.beginPasskey(workspaceId)
      if (begun === null) throw new Failure('not_found', 'There is no workspace with this id.')
      reply.header('set-cookie', newChallengeCookie(begun.token))
      return sendJson(reply, 200, begun.options)
    },
  })
  app.route({
    method: 'POST',
    url: '/sign-in/:workspace_id/passkey',
    config: { operation: 'sign_in.passkey', scope: 'none' },
    onRequest: refuseCrossSite,
    handler: async (request, reply) => {
      chooseType(request.headers, ['application/json'])
      const input = await readAnswer(request)
      // The casts hold because the body was validated.
      const { response: answer } = input.body as Static<typeof Authentication>
      const response = answer as unknown as AuthenticationAnswer
      const token = challengeCookie.read(request)
      const place = placeOf(request, input)
      const attempt = attemptWith(`${response.id} ${token}`, () =>
        signInAttempts.withPasskey(place, { token, response }),
      )
      const started = await signIns.count('passkey', () =>
        rateLimiter.attempt(request, reply, attempt),
      )
      return sendSession(request, reply, { sessions, started, cookies: [challengeCookie.expired] })
    },
  })
}
