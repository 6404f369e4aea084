import { createHash } from 'node:crypto'

import type { FastifyRequest } from 'fastify'

import type { SignInPlace } from '#domain/engine/caller'

import { originOf } from './origin.ts'
import { workspaceOf } from './sign-in-response.ts'

/** The workspace to sign in to, and the browser that asks. */
export const placeOf = (
  request: FastifyRequest,
  input: Parameters<typeof workspaceOf>[0],
): SignInPlace => ({ workspaceId: workspaceOf(input), origin: originOf(request) })

/** Work with a secret of the sign-in: its refusals count against the secret and the address. */
export const attemptWith = <T>(secret: string, work: () => Promise<T | null>) => ({
  hash: createHash('sha256').update(secret).digest(),
  problem: 'sign_in_refused' as const,
  work,
})
