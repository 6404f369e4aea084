import { request } from 'node:http'
import { connect } from 'node:net'

import type { Json } from './client.ts'

export interface RawReply {
  readonly status: number
  readonly headers: Record<string, string>
  readonly text: string
  readonly body: Json
}

/** A request whose headers are sent exactly as listed, name after value, also twice. */
export function sendHeaders(
  url: URL,
  { method, headers, body }: { method: string; headers: string[]; body?: string | undefined },
): Promise<RawReply> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers: ['host', url.host, ...headers] }, (reply) => {
      let text = ''
      reply.setEncoding('utf8')
      reply.on('data', (chunk: string) => (text += chunk))
      reply.on('end', () => {
        const status = reply.statusCode ?? 0
        const flat = Object.entries(reply.headers).map(([name, value]) => [name, String(value)])
        resolve({ status, headers: Object.fromEntries(flat), text, body: parse(text) })
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

export interface Talk {
  readonly text: string
  /** Of every answer, in order. */
  readonly statuses: number[]
  /** Until the other side closed, or we gave up. */
  readonly seconds: number
  /** Whether the other side broke the connection off in place of closing it. */
  readonly isReset: boolean
}

interface Manner {
  readonly waitMs?: number
  /** What is sent next, again and again; null for nothing. */
  readonly more?: { readonly bytes: string; readonly everyMs: number } | null
}

/** Bytes as they are, and all that comes back until the other side closes or we give up. */
export function talk(
  base: string,
  bytes: string | Buffer,
  { waitMs = 2000, more = null }: Manner = {},
): Promise<Talk> {
  const { hostname, port } = new URL(base)
  const began = performance.now()
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname)
    let text = ''
    const timer = setTimeout(() => socket.destroy(), waitMs)
    const dripping = more && setInterval(() => socket.write(more.bytes), more.everyMs)
    socket.setEncoding('utf8')
    socket.on('connect', () => socket.write(bytes))
    socket.on('data', (chunk: string) => (text += chunk))
    let isReset = false
    socket.on('error', () => (isReset = true))
    socket.on('close', () => {
      clearTimeout(timer)
      clearInterval(dripping ?? undefined)
      const seconds = (performance.now() - began) / 1000
      resolve({ text, statuses: statusesIn(text), seconds, isReset })
    })
  })
}

const statusesIn = (text: string) =>
  [...text.matchAll(/HTTP\/1\.[01] (\d{3}) /g)].map(([, status]) => Number(status))

/** As `talk`, for one answer. */
export async function sendBytes(base: string, bytes: string | Buffer, waitMs = 2000) {
  return parseReply((await talk(base, bytes, { waitMs })).text)
}

function parseReply(text: string): RawReply {
  const [head = '', ...rest] = text.split('\r\n\r\n')
  const [statusLine = '', ...lines] = head.split('\r\n')
  const headers = lines.map((line) => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
  })
  const body = rest.join('\r\n\r\n')
  return {
    status: Number(statusLine.split(' ')[1] ?? 0),
    headers: Object.fromEntries(headers),
    text: body,
    body: parse(body),
  }
}

function parse(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
