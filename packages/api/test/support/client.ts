import { setTimeout as sleep } from 'node:timers/promises'

import { assertPromised } from './answers.ts'

const triesMax = 20

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body as JSON; null when it is not JSON. */
  readonly body: Json
}

/** Whatever came: tests say what they expect of it. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Json = any

export interface Sent {
  readonly headers?: Record<string, string>
  readonly body?: unknown
}

/** Someone with a key, or without one, who speaks HTTP to a service. */
export class Client {
  readonly base: string
  readonly token: string | null

  constructor(base: string, token: string | null) {
    this.base = base
    this.token = token
  }

  get(path: string, headers?: Record<string, string>): Promise<Reply> {
    return this.send('GET', path, { headers: headers ?? {} })
  }

  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Reply> {
    return this.send('POST', path, { body, headers: headers ?? {} })
  }

  /** What was refused before it was looked at is sent again: a machine that tests may be busy. */
  async send(method: string, path: string, sent: Sent = {}): Promise<Reply> {
    for (let tries = 1; ; tries++) {
      const reply = await this.#sendOnce(method, path, sent)
      if (reply.body?.code !== 'overloaded' || tries === triesMax) return reply
      await sleep(100 * tries)
    }
  }

  async #sendOnce(method: string, path: string, { headers = {}, body }: Sent): Promise<Reply> {
    const isRaw = typeof body === 'string' || body instanceof Uint8Array
    const url = new URL(path, this.base)
    const reply = await fetch(url, {
      method,
      headers: {
        ...(this.token !== null && { authorization: `Bearer ${this.token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: isRaw ? (body as string) : JSON.stringify(body) }),
    })
    const text = await reply.text()
    const { status } = reply
    const answer = { status, headers: reply.headers, text, body: parsed(reply, text) }
    assertPromised({ method, url }, answer)
    return answer
  }
}

function parsed(reply: Response, text: string): Json {
  const isJson = /\bjson\b/.test(reply.headers.get('content-type') ?? '')
  return isJson && text !== '' ? JSON.parse(text) : null
}
