import assert from 'node:assert/strict'

import type { Client as SqlClient } from 'pg'

import { readToken } from '#domain/auth/token'
import { Client, type Reply, type Sent } from '#test/support/client'

export const name = '__Host-muster_session'

/** The headers a browser and the console send with a same-origin request. */
export const fromConsole = { 'sec-fetch-site': 'same-origin', 'muster-console': '1' }

/** A browser that runs the console: it sends a session cookie and no key. */
export class Browser extends Client {
  readonly cookie: string

  constructor(base: string, cookie: string) {
    super(base, null)
    this.cookie = cookie
  }

  override send(method: string, path: string, { headers, body }: Sent = {}): Promise<Reply> {
    const own = { ...fromConsole, ...(this.cookie && { cookie: this.cookie }) }
    return super.send(method, path, { headers: { ...own, ...headers }, body })
  }

  /** Signs in with an API key. */
  startSession(key: string | null): Promise<Reply> {
    return this.send('POST', '/session', { headers: { authorization: `Bearer ${key}` } })
  }
}

export const tokenOf = ({ cookie }: Browser) => cookie.slice(name.length + 1)

/** Status and problem code, such as `409 email_taken`. */
export const outcome = ({ status, body }: Pick<Reply, 'status' | 'body'>) =>
  status < 400 ? `${status}` : `${status} ${body.code}`

/** Exchanges a key for a session, like the console. */
export async function signIn(base: string, key: string | null, cookie = ''): Promise<Browser> {
  const reply = await new Browser(base, cookie).startSession(key)
  assert.equal(reply.status, 201, reply.text)
  return new Browser(base, reply.headers.get('set-cookie')?.split(';')[0] ?? '')
}

/** Whether the session of a browser is stored. */
export async function isStored(sql: SqlClient, browser: Browser): Promise<boolean> {
  const { hash } = readToken(tokenOf(browser), 'session') ?? {}
  const { rowCount } = await sql.query('select 1 from sessions where hash = $1', [hash])
  return rowCount === 1
}
