import { createClient } from '@muster/client'

/** The header without which the service does not look at the session's cookie. */
const asConsole = { 'muster-console': '1' }

/** The API, called as anyone else calls it. Who is asking is said by the session's cookie. */
export const client = createClient({ base: location.origin, headers: asConsole, retriesMax: 2 })

/** Exchanges a key for a session. The key is kept nowhere. */
export async function signIn(key: string): Promise<Response> {
  return fetch('/session', {
    method: 'POST',
    headers: { ...asConsole, 'content-type': 'application/json' },
    body: JSON.stringify({ key }),
  })
}

export async function signOut(): Promise<void> {
  await fetch('/session', { method: 'DELETE', headers: asConsole })
}
