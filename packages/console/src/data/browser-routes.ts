import { type Problem, ProblemError } from '@muster/client'

import { fetchWithReauthentication } from './reauthentication.ts'

/** The service ignores the session cookie without this header (CSRF protection). */
export const consoleHeader = { 'muster-console': '1' }

interface BrowserRequest {
  readonly method?: 'GET' | 'POST' | 'DELETE'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/**
 * Sends a request to a route for browsers, which is not an operation of the API. Throws a
 * `ProblemError` if the service refuses it.
 */
export async function sendToRoute(path: string, request: BrowserRequest = {}): Promise<unknown> {
  const { method = 'GET', headers = {}, body } = request
  const response = await fetchWithReauthentication(path, {
    method,
    headers: {
      ...consoleHeader,
      ...headers,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const value: unknown = text === '' ? null : JSON.parse(text)
  if (response.ok) return value
  throw new ProblemError(value as Problem)
}
