import { createClient } from '@muster/client'

/** The service ignores the session cookie without this header (CSRF protection). */
const consoleHeader = { 'muster-console': '1' }

/** The API client. The session cookie authenticates its requests. */
export const client = createClient({ base: location.origin, headers: consoleHeader, retriesMax: 2 })

/** Exchanges a key for a session cookie. The key is not stored. */
export async function signIn(key: string): Promise<Response> {
  return fetch('/session', {
    method: 'POST',
    headers: { ...consoleHeader, 'content-type': 'application/json' },
    body: JSON.stringify({ key }),
  })
}

export async function signOut(): Promise<void> {
  await fetch('/session', { method: 'DELETE', headers: consoleHeader })
}
