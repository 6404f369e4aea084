import { idPattern, slugPattern } from '@muster/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'

import type { SessionManager } from '#domain/auth/sessions'
import { Failure } from '#domain/engine/failure'

import { previousSession, sessionCookie } from './cookie.ts'
import { originOf } from './origin.ts'

/** The path parameter of the sign-in page of a workspace. */
export const workspaceParams = Type.Object({
  workspace_id: Type.String({ pattern: idPattern('wsp') }),
})

export const workspaceOf = ({ params }: { params: Record<string, string> }) =>
  params['workspace_id'] ?? ''

const namePattern = new RegExp(`${idPattern('wsp')}|${slugPattern}`)

/** The id or the slug, by which people open the page. Another form needs no query. */
export function namedWorkspaceOf(input: Parameters<typeof workspaceOf>[0]): string {
  const name = workspaceOf(input)
  if (!namePattern.test(name) || name.length > 40) throw unknownWorkspace()
  return name
}

export const unknownWorkspace = () =>
  new Failure('not_found', 'There is no workspace with this id or slug.')

export const sendJson = (reply: FastifyReply, status: number, body: object) =>
  reply
    .code(status)
    .headers({ 'cache-control': 'no-store' })
    .type('application/json')
    .send(Buffer.from(JSON.stringify(body)))

interface SignInResult {
  readonly sessions: SessionManager
  /** Null if the sign-in was refused. */
  readonly started: Awaited<ReturnType<SessionManager['startWithProof']>>
  /** Further cookies to set. */
  readonly cookies?: readonly string[]
}

/** Sets the session cookie, and ends the previous session of the browser. */
export async function sendSession(
  request: FastifyRequest,
  reply: FastifyReply,
  { sessions, started, cookies = [] }: SignInResult,
) {
  reply.headers({ 'cache-control': 'no-store' })
  if (started === null) throw new Failure('sign_in_refused')
  const previous = previousSession(request)
  if (previous !== null) await sessions.end(previous, originOf(request))
  const { token, days, expires_at } = started
  reply.header('set-cookie', [sessionCookie(token, days), ...cookies])
  return sendJson(reply, 201, { expires_at })
}
