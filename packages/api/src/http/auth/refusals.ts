import { idPattern, problems } from '@muster/contract'
import type { FastifyRequest } from 'fastify'

import type { RefusalLog } from '#domain/auth/refusal-log'
import { systemActor } from '#domain/engine/caller'
import { failureOf } from '#domain/engine/failure'

import { possibleCredentialIn } from './credential.ts'
import { originOf } from './origin.ts'

const workspacePattern = new RegExp(idPattern('wsp'))

/**
 * Adds a refusal to the audit log: of a principal that lacks a right, and of anybody who exceeds a
 * limit. A credential that does not authenticate is recorded where it is looked up.
 */
export function recordRefusal(
  refusals: RefusalLog,
  request: FastifyRequest,
  thrown: unknown,
): void {
  const problem = failureOf(thrown)?.problem
  if (problem === undefined || problem === 'quota_exceeded') return
  const { status } = problems[problem]
  const { principal } = request
  const common = { type: 'request.refused', reason: problem, ...originOf(request) } as const
  if (principal !== null && (status === 403 || status === 429)) {
    const { workspaceId, type, id, userId, keyId, session } = principal
    const actor = { type, id, user_id: userId }
    refusals.record({ ...common, workspaceId, actor, userId, subjectId: session?.id ?? keyId })
  } else if (status === 429) {
    const workspaceId = namedWorkspace(request)
    if (workspaceId !== null) refusals.record({ ...common, workspaceId, actor: systemActor })
  }
}

/** The workspace of the credential or of the path. The request may come from anybody. */
function namedWorkspace({ raw, params }: FastifyRequest): string | null {
  const credential = possibleCredentialIn(raw)
  if (credential !== null) return credential.workspaceId
  // The cast holds because path parameters are text.
  const { workspace_id: id = '' } = params as Readonly<Record<string, string>>
  return workspacePattern.test(id) ? id : null
}
