import { Agent, request } from 'node:http'

/** A response with everything that a client can see. */
export interface Answer {
  readonly status: number
  /** Without what differs between any two responses. */
  readonly headers: readonly string[]
  readonly body: string
}

/**
 * Sends a GET with these headers on a new connection: names and values in turns, duplicates
 * included.
 */
export function read(base: string, path: string, headers: readonly string[]): Promise<Answer> {
  const url = new URL(path, base)
  const agent = new Agent({ keepAlive: true })
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, headers: ['host', url.host, ...headers] }, (reply) => {
      const chunks: Buffer[] = []
      reply.on('data', (chunk: Buffer) => chunks.push(chunk))
      reply.on('error', reject)
      reply.on('end', () => {
        const status = reply.statusCode ?? 0
        const body = Buffer.concat(chunks)
          .toString('latin1')
          .replaceAll(/req_\w+/g, 'req_')
        agent.destroy()
        resolve({ status, headers: comparable(reply.rawHeaders), body })
      })
    })
    sent.on('error', reject)
    sent.end()
  })
}

/** The headers in one order, without the time, what is left of a limit, and random ids. */
function comparable(rawHeaders: readonly string[]): string[] {
  const lines = rawHeaders.flatMap((name, index) =>
    index % 2 === 0 && name !== 'Date' ? [`${name}: ${rawHeaders[index + 1]}`] : [],
  )
  return lines
    .map((line) =>
      line
        .replace(/^request-id: .*/, 'request-id')
        .replace(/^(traceparent: 00)-\w+-\w+/, '$1')
        .replaceAll(/;[rt]=\d+/g, ''),
    )
    .toSorted()
}
