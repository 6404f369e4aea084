import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

import { encode, type Load, type LoadReport, numberDigits } from './load/request.ts'

/**
 * Load generator in its own process, for a rate of requests, and where wrk is missing. Reads a
 * `Load` as JSON and prints its report. Without a rate, each connection sends its next request as
 * soon as a response arrives, whatever its status.
 */
const load: Load = JSON.parse(readFileSync(0, 'utf8'))
const { hostname, port } = new URL(load.base)

const texts = load.requests.map((request) => encode(load.base, request))
const encoded = texts.map((text) => (text.includes('{n}') ? text : Buffer.from(text)))
// Unique over several runs against one service.
let numbered = Date.now() * 1000
let turn = 0

function nextRequest(): Buffer {
  const next = encoded[turn++ % encoded.length] ?? ''
  if (typeof next !== 'string') return next
  return Buffer.from(next.replaceAll('{n}', () => String(numbered++).padStart(numberDigits, '0')))
}

const began = performance.now()
const warmMs = load.warmSeconds * 1000
const warmMsMax = 15_000
// A rate is kept from the beginning, so its warm-up does not wait for the connections.
let countFrom = began + (load.rate === null ? warmMsMax : warmMs)
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
  if (firsts < load.connections || load.rate !== null) return
  countFrom = Math.min(countFrom, Math.max(performance.now(), began + warmMs))
  end = countFrom + load.seconds * 1000
}

/** Counts a response, or a failed connection as status 0. */
function record(status: number, since: number): void {
  if (status > 0) sent += 1
  const now = performance.now()
  if (now < countFrom || now > end) return
  if (status === 0) {
    failures += 1
    return
  }
  const seen = latencies.get(status)
  if (seen) seen.push(now - since)
  else latencies.set(status, [now - since])
}

const lastChunk = '0\r\n\r\n'

/** Parses responses without storing bodies: the client must use less CPU than the service. */
class Connection {
  readonly #socket: Socket
  #head = ''
  #left = 0
  #status = 0
  /** The last characters of a chunked response; null for one with a length. */
  #tail: string | null = null
  #done: (() => void) | null = null
  /** Whether it takes another request. */
  isOpen = true

  constructor() {
    this.#socket = connect({ port: Number(port), host: hostname, noDelay: true })
    open.add(this.#socket)
    this.#socket.on('data', (chunk: Buffer) => this.#take(chunk))
    this.#socket.on('error', () => {})
    this.#socket.on('close', () => {
      open.delete(this.#socket)
      this.isOpen = false
      this.#status = 0
      this.#done?.()
    })
  }

  /** Returns the status, or 0 when the connection ended first. */
  async ask(request: Buffer): Promise<number> {
    const answered = new Promise<void>((resolve) => (this.#done = resolve))
    this.#socket.write(request)
    await answered
    this.#done = null
    return this.#status
  }

  close(): void {
    this.#socket.destroy()
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
    this.isOpen = !/\nconnection: close/i.test(head)
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

/**
 * Opens its connection when a request is due, and again when the service closed it meanwhile: a
 * service closes connections that are idle.
 */
async function work(): Promise<void> {
  let connection: Connection | null = null
  let isFirst = true
  while (performance.now() < end) {
    const due = nextDue()
    // No worker waits past the end for a request that will not be counted.
    const wait = Math.min(due, end) - performance.now()
    if (wait > 0) await sleep(wait)
    if (due > end) break
    if (!connection?.isOpen) {
      connection?.close()
      connection = new Connection()
    }
    const since = load.rate === null ? performance.now() : due
    record(await connection.ask(nextRequest()), since)
    if (isFirst) endWarmUp()
    isFirst = false
  }
  connection?.close()
}

const percentile = (sorted: readonly number[], part: number) =>
  sorted[Math.floor((sorted.length - 1) * part)] ?? 0

// Opening all connections at once would overflow the accept queue of the operating system.
const workers = Array.from({ length: load.connections }, async (_, index) => {
  await sleep(load.rate === null ? (index / load.connections) * load.warmSeconds * 500 : 0)
  await work()
})
const late = setInterval(() => {
  if (performance.now() > end) for (const socket of open) socket.destroy()
}, 200)
await Promise.all(workers)
clearInterval(late)
const byStatus = Array.from(latencies, ([status, seen]) => {
  const sorted = seen.toSorted((a, b) => a - b)
  const [p50, p99] = [percentile(sorted, 0.5), percentile(sorted, 0.99)]
  return [status, { count: seen.length, perSecond: seen.length / load.seconds, p50, p99 }]
})
const report: LoadReport = { byStatus: Object.fromEntries(byStatus), failures, sent }
process.stdout.write(`${JSON.stringify(report)}\n`)
