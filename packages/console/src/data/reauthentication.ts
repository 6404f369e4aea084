import { ProblemError } from '@muster/client'

import { fetchOwn } from './own-requests.ts'
import { createPrompt } from './prompt.ts'
import { deferSignOut, expectSignOut, resumeSession } from './query-client.ts'

/** Why to sign in again: a change needs a recent sign-in, or the session has ended. */
export type SignInReason = 'recent' | 'signed_out'

const { ask, usePrompt } = createPrompt<SignInReason, boolean>()

/** The open question to sign in again, or null. */
export const useReauthenticationPrompt = usePrompt

let pending: Promise<boolean> | null = null

/** Several requests that are refused at once share one dialog. False if the user cancels. */
export async function signInAgain(reason: SignInReason): Promise<boolean> {
  pending ??= askOnThisPage(reason)
  try {
    return await pending
  } finally {
    pending = null
  }
}

/** Reads that fail while the dialog is open do not leave the page. */
async function askOnThisPage(reason: SignInReason): Promise<boolean> {
  const release = deferSignOut({ asks: false })
  try {
    const isSignedIn = await ask(reason)
    if (isSignedIn) resumeSession()
    else if (reason === 'signed_out') expectSignOut()
    return isSignedIn
  } finally {
    release()
  }
}

/**
 * Sends a request. If a write is refused because the session has ended or is not recent, the dialog
 * asks for a sign-in, and the same request is sent again. If the user cancels, the caller gets the
 * refusal.
 */
export async function fetchWithReauthentication(
  ...args: Parameters<typeof fetch>
): Promise<Response> {
  const response = await fetchOwn(...args)
  const reason = await reasonToSignIn(response, args)
  if (reason === null) return response
  return (await signInAgain(reason)) ? fetchOwn(...args) : response
}

async function reasonToSignIn(
  response: Response,
  [, { method = 'GET' } = {}]: Parameters<typeof fetch>,
): Promise<SignInReason | null> {
  if (response.status === 401) {
    return method === 'GET' || isOfSignIn(response) ? null : 'signed_out'
  }
  if (response.status !== 403) return null
  const problem = (await response.clone().json()) as { code?: unknown }
  return problem.code === 'reauthentication_required' ? 'recent' : null
}

/** A refused sign-in is no end of a session. */
const isOfSignIn = ({ url }: Response) => /^\/(?:sign-in\/|session$)/.test(new URL(url).pathname)

/** Codes that mean “no session” for every request. Their texts are for API clients. */
const noSession = new Set(['missing_credentials', 'session_ended'])

/** Whether the session has ended. Every 401 means it, except those of a sign-in. */
export const isSignedOut = (error: unknown, isSignIn = false): boolean =>
  error instanceof ProblemError && error.status === 401 && (!isSignIn || noSession.has(error.code))
