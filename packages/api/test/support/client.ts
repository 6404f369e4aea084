import { assertPromised } from '#test/contract/response-schemas'

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body as JSON; null when it is not JSON. */
  readonly body: Json
}

/** An untyped response body: each test asserts the shape it expects. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Json = any

export interface Sent {
  readonly headers?: Record<string, string>
  readonly body?: unknown
}

/** An HTTP client of the service, with or without a key. */
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

  async send(method: string, path: string, sent: Sent = {}): Promise<Reply> {
    const { headers = {}, body } = sent
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
