import { createPrompt } from './prompt.ts'

const { ask, usePrompt } = createPrompt<null, boolean>()

/** The open question to sign in again, or null. */
export const useReauthenticationPrompt = usePrompt

let pending: Promise<boolean> | null = null

/** Several requests that are refused at once share one dialog. */
async function signInAgain(): Promise<boolean> {
  pending ??= ask(null)
  try {
    return await pending
  } finally {
    pending = null
  }
}

/**
 * Sends a request. If the service asks for a recent sign-in, the dialog does so, and the same
 * request is sent again. If the user cancels, the caller gets the refusal.
 */
export async function fetchWithReauthentication(
  ...args: Parameters<typeof fetch>
): Promise<Response> {
  const response = await fetch(...args)
  if (!(await isReauthenticationRequired(response))) return response
  return (await signInAgain()) ? fetch(...args) : response
}

async function isReauthenticationRequired(response: Response): Promise<boolean> {
  if (response.status !== 403) return false
  const problem = (await response.clone().json()) as { code?: unknown }
  return problem.code === 'reauthentication_required'
}
