import { createClient } from '@muster/client'

import { consoleHeader } from './browser-routes.ts'
import { fetchWithReauthentication } from './reauthentication.ts'

/** The API client. The session cookie authenticates its requests. */
export const client = createClient({
  base: location.origin,
  headers: consoleHeader,
  retriesMax: 2,
  fetch: fetchWithReauthentication,
})
