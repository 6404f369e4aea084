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

/**
 * Bytes as they are, and whatever comes back until the other side closes or `waitMs` have passed.
 */
export function sendBytes(base: string, bytes: string | Buffer, waitMs = 2000): Promise<RawReply> {
  const { hostname, port } = new URL(base)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    let text = ''
    const timer = setTimeout(() => socket.destroy(), waitMs)
    socket.setEncoding('utf8')
    socket.on('connect', () => socket.write(bytes))
    socket.on('data', (chunk: string) => (text += chunk))
    socket.on('error', reject)
    socket.on('close', () => {
      clearTimeout(timer)
      resolve(parseReply(text))
    })
  })
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
