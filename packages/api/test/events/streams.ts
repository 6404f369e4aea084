import assert from 'node:assert/strict'

import type { Client, Json } from '#test/support/client'

/** One message of a stream. */
export interface Message {
  readonly id: string | null
  readonly event: string | null
  readonly data: Json
}

/** Reads a stream of events. `next` returns the messages one by one, and null at the end. */
export async function openStream(
  { base, token }: Client,
  query: Record<string, string>,
  headers: Record<string, string> = {},
) {
  const controller = new AbortController()
  const response = await fetch(
    new URL(`/v1/events?${new URLSearchParams(query).toString()}`, base),
    {
      headers: { accept: 'text/event-stream', authorization: `Bearer ${token}`, ...headers },
      signal: controller.signal,
    },
  )
  assert.equal(response.status, 200)
  assert.ok(response.body)
  const messages = messagesIn(response.body)
  return {
    /** A response that nothing refers to is cancelled before its first read. */
    response,
    close: () => controller.abort(),
    async next(): Promise<Message | null> {
      const { value, done } = await messages.next()
      return done === true ? null : value
    },
  }
}

/** The messages of a stream, one by one. */
export async function* messagesIn(body: ReadableStream<Uint8Array>): AsyncGenerator<Message, void> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true })
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      yield parse(text.slice(0, end))
      text = text.slice(end + 2)
    }
  }
}

function parse(block: string): Message {
  const of = (name: string) =>
    block
      .split('\n')
      .find((line) => line.startsWith(`${name}: `))
      ?.slice(name.length + 2) ?? null
  const data = of('data')
  return { id: of('id'), event: of('event'), data: data === null ? null : JSON.parse(data) }
}
