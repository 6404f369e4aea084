import { request } from 'node:http'
import { connect } from 'node:net'

import type { Json } from './client.ts'

export interface RawReply {
  readonly status: number
  readonly headers: Record<string, string>
  readonly text: string
  readonly body: Json
}

/** Sends headers exactly as listed (name, value, name, value …), duplicates included. */
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

export interface RawExchange {
  readonly text: string
  /** The status of every response, in order. */
  readonly statuses: number[]
  /** Time until the server closed the connection or the wait ended. */
  readonly seconds: number
  /** Whether the server reset the connection instead of closing it. */
  readonly isReset: boolean
}

interface ExchangeOptions {
  readonly waitMs?: number
  /** Whether to stop reading; never by default. */
  readonly isEnough?: (text: string) => boolean
  /** Bytes to send repeatedly afterwards; null for none. */
  readonly more?: { readonly bytes: string; readonly everyMs: number } | null
}

/** Sends bytes over TCP and returns all output until the server closes or the wait ends. */
export function sendRaw(
  base: string,
  bytes: string | Buffer,
  { waitMs = 20_000, more = null, isEnough = () => false }: ExchangeOptions = {},
): Promise<RawExchange> {
  const { hostname, port } = new URL(base)
  const began = performance.now()
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname)
    let text = ''
    const timer = setTimeout(() => socket.destroy(), waitMs)
    const dripping = more && setInterval(() => socket.write(more.bytes), more.everyMs)
    socket.setEncoding('utf8')
    socket.on('connect', () => socket.write(bytes))
    socket.on('data', (chunk: string) => {
      text += chunk
      if (isEnough(text)) socket.destroy()
    })
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

/** Sends bytes over TCP and returns the first response. */
export async function sendBytes(base: string, bytes: string | Buffer, waitMs = 20_000) {
  return parseReply((await sendRaw(base, bytes, { waitMs, isEnough: isAnswer })).text)
}

/** True for complete headers and as many body bytes as Content-Length announces. */
function isAnswer(text: string): boolean {
  const [head = '', ...rest] = text.split('\r\n\r\n')
  const length = /^content-length: (\d+)/im.exec(head)?.[1]
  return length !== undefined && Buffer.byteLength(rest.join('\r\n\r\n')) >= Number(length)
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
