import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Closed-loop load generator, in its own process so that it does not slow down the measurement.
 * Each connection sends its next request as soon as a response arrives, whatever its status. Prints
 * a report as JSON.
 */
export interface Load {
  readonly base: string
  readonly path: string
  /** Further paths. Each request chooses one of all by its weight; that of `path` is 1. */
  readonly paths?: readonly WeightedPath[]
  /** The connections use the keys in turn. */
  readonly tokens: readonly string[]
  /**
   * Instead, each request chooses a key by the Zipf distribution with this exponent: with 1, the
   * second key gets half as many requests as the first, and the third a third.
   */
  readonly zipf?: number
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  /** `{n}` in the body is replaced by the number of the request. */
  readonly body?: string
  readonly connections: number
  readonly seconds: number
  /** Warm-up, not counted: at least this long, and until every connection got a response. */
  readonly warmSeconds: number
  /** Requests per second of all connections together; null for unlimited. */
  readonly rate: number | null
}

interface WeightedPath {
  readonly path: string
  readonly weight: number
}

/** Throughput and latency of the responses with one status. */
export interface StatusReport {
  readonly count: number
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
}

export interface LoadReport {
  readonly byStatus: Readonly<Record<string, StatusReport>>
  /** Connections that failed while waiting for a response. */
  readonly failures: number
  /** Responses, including those of the warm-up. */
  readonly sent: number
  /** CPU time of the load generator in milliseconds. */
  readonly cpuMs: number
}

const load: Load = JSON.parse(process.argv[2] ?? '{}')
const { hostname, port, host } = new URL(load.base)

function encode(token: string, path: string, body: string): Buffer {
  const { method = 'GET', headers = {} } = load
  const lines = [
    `${method} ${path} HTTP/1.1`,
    `host: ${host}`,
    `authorization: Bearer ${token}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === '' ? [] : [`content-length: ${Buffer.byteLength(body)}`]),
  ]
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`)
}

/** Chooses an index by its weight. */
function chooserOf(weights: readonly number[]): () => number {
  let sum = 0
  const sums = weights.map((weight) => (sum += weight))
  return () => {
    const at = Math.random() * sum
    let [low, high] = [0, sums.length - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((sums[middle] ?? 0) > at) high = middle
      else low = middle + 1
    }
    return low
  }
}

const paths = [{ path: load.path, weight: 1 }, ...(load.paths ?? [])]
const choosePath = chooserOf(paths.map(({ weight }) => weight))
const { zipf } = load
const chooseToken =
  zipf === undefined ? null : chooserOf(load.tokens.map((_, index) => (index + 1) ** -zipf))
const encoded = new Map<string, Buffer>()

/** The next request of a connection with this key. Requests without a number are encoded once. */
function nextRequest(own: string): Buffer {
  const token = chooseToken === null ? own : (load.tokens[chooseToken()] ?? own)
  const path = paths[paths.length === 1 ? 0 : choosePath()]?.path ?? load.path
  const { body = '' } = load
  if (body.includes('{n}')) {
    return encode(
      token,
      path,
      body.replaceAll('{n}', () => String(numbered++)),
    )
  }
  const name = token + path
  const known = encoded.get(name)
  if (known) return known
  const request = encode(token, path, body)
  encoded.set(name, request)
  return request
}

// Unique over several runs against one service.
let numbered = Date.now() * 1000

const began = performance.now()
const warmMsMax = 15_000
let countFrom = began + warmMsMax
let end = countFrom + load.seconds * 1000
let firsts = 0
const latencies = new Map<number, number[]>()
const open = new Set<Socket>()
let failures = 0
let sent = 0
let asked = 0

/** The time at which the next request of any connection is due. */
const nextDue = () => (load.rate === null ? 0 : began + (asked++ * 1000) / load.rate)

/** Ends the warm-up when every connection got a response and the minimum time has passed. */
function endWarmUp(): void {
  firsts += 1
  if (firsts < load.connections) return
  countFrom = Math.min(countFrom, Math.max(performance.now(), began + load.warmSeconds * 1000))
  end = countFrom + load.seconds * 1000
}

function record(status: number, since: number): void {
  sent += 1
  const now = performance.now()
  if (now < countFrom || now > end) return
  const seen = latencies.get(status)
  if (seen) seen.push(now - since)
  else latencies.set(status, [now - since])
}

const lastChunk = '0\r\n\r\n'

/** Parses responses without storing bodies: the client must use less CPU than the service. */
class ResponseReader {
  readonly #socket: Socket
  #head = ''
  #left = 0
  #status = 0
  /** The last characters of a chunked response; null for one with a length. */
  #tail: string | null = null
  #done: (() => void) | null = null
  isOpen = true
  isLast = false

  constructor(socket: Socket) {
    this.#socket = socket
    socket.on('data', (chunk: Buffer) => this.#take(chunk))
    socket.on('error', () => {})
    socket.on('close', () => {
      this.isOpen = false
      this.#status = 0
      this.#done?.()
    })
  }

  /** Returns the status, or 0 when the connection ended first. */
  async ask(request: Buffer): Promise<number> {
    if (!this.isOpen) return 0
    const answered = new Promise<void>((resolve) => (this.#done = resolve))
    this.#socket.write(request)
    await answered
    this.#done = null
    return this.#status
  }

  #take(chunk: Buffer): void {
    if (this.#tail !== null) {
      this.#takeChunked(chunk.subarray(-lastChunk.length).toString('latin1'))
    } else if (this.#left > 0) {
      this.#left -= chunk.length
      if (this.#left === 0) this.#done?.()
    } else {
      this.#head += chunk.toString('latin1')
      const bodyAt = this.#head.indexOf('\r\n\r\n') + 4
      if (bodyAt >= 4) this.#takeHead(bodyAt)
    }
  }

  #takeHead(bodyAt: number): void {
    const head = this.#head
    this.#head = ''
    this.#status = Number(head.slice(9, 12))
    this.isLast = /\nconnection: close/i.test(head)
    if (/\ntransfer-encoding: chunked/i.test(head)) {
      this.#tail = ''
      this.#takeChunked(head.slice(bodyAt).slice(-lastChunk.length))
      return
    }
    const length = Number(/\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0)
    this.#left = length - (head.length - bodyAt)
    if (this.#left === 0) this.#done?.()
  }

  /** The text of a response has no line break, so that the last chunk is never part of it. */
  #takeChunked(text: string): void {
    this.#tail = ((this.#tail ?? '') + text).slice(-lastChunk.length)
    if (this.#tail !== lastChunk) return
    this.#tail = null
    this.#done?.()
  }
}

async function work(token: string): Promise<void> {
  let isFirst = true
  while (performance.now() < end) {
    const socket = connect({ port: Number(port), host: hostname, noDelay: true })
    const responses = new ResponseReader(socket)
    open.add(socket)
    while (responses.isOpen && !responses.isLast && performance.now() < end) {
      const due = nextDue()
      const now = performance.now()
      if (due > now) await sleep(due - now)
      const since = Math.max(due, load.rate === null ? performance.now() : 0)
      const status = await responses.ask(nextRequest(token))
      if (isFirst) endWarmUp()
      isFirst = false
      if (status === 0 && performance.now() < end) failures += 1
      else record(status, since)
    }
    socket.destroy()
    open.delete(socket)
  }
}

const percentile = (sorted: readonly number[], part: number) =>
  sorted[Math.floor((sorted.length - 1) * part)] ?? 0

// Opening all connections at once would overflow the accept queue of the operating system.
const workers = Array.from({ length: load.connections }, async (_, index) => {
  await sleep((index / load.connections) * load.warmSeconds * 500)
  await work(load.tokens[index % load.tokens.length] ?? '')
})
const late = setInterval(() => {
  if (performance.now() > end) for (const socket of open) socket.destroy()
}, 200)
await Promise.all(workers)
clearInterval(late)
const byStatus = Object.fromEntries(
  Array.from(latencies, ([status, seen]): [string, StatusReport] => {
    const sorted = seen.toSorted((a, b) => a - b)
    const perSecond = seen.length / load.seconds
    return [
      String(status),
      {
        count: seen.length,
        perSecond,
        p50: percentile(sorted, 0.5),
        p99: percentile(sorted, 0.99),
      },
    ]
  }),
)
const { user, system } = process.cpuUsage()
const report: LoadReport = { byStatus, failures, sent, cpuMs: (user + system) / 1000 }
process.stdout.write(`${JSON.stringify(report)}\n`)
