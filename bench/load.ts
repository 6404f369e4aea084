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
  readonly token: string
  readonly connections: number
  readonly seconds: number
  /** Warm-up, not counted: at least this long, and until every connection got a response. */
  readonly warmSeconds: number
  /** Requests per second of all connections together; null for unlimited. */
  readonly rate: number | null
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
}

const load: Load = JSON.parse(process.argv[2] ?? '{}')
const { hostname, port, host } = new URL(load.base)
const lines = [
  `GET ${load.path} HTTP/1.1`,
  `host: ${host}`,
  `authorization: Bearer ${load.token}`,
  '\r\n',
]
const request = Buffer.from(lines.join('\r\n'))

const began = performance.now()
const warmMsMax = 15_000
let countFrom = began + warmMsMax
let end = countFrom + load.seconds * 1000
let firsts = 0
const latencies = new Map<number, number[]>()
const open = new Set<Socket>()
let failures = 0
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
  const now = performance.now()
  if (now < countFrom || now > end) return
  const seen = latencies.get(status)
  if (seen) seen.push(now - since)
  else latencies.set(status, [now - since])
}

/** Parses responses without storing bodies: the client must use less CPU than the service. */
class ResponseReader {
  readonly #socket: Socket
  #head = ''
  #left = 0
  #status = 0
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
  async ask(): Promise<number> {
    if (!this.isOpen) return 0
    const answered = new Promise<void>((resolve) => (this.#done = resolve))
    this.#socket.write(request)
    await answered
    this.#done = null
    return this.#status
  }

  #take(chunk: Buffer): void {
    if (this.#left > 0) {
      this.#left -= chunk.length
    } else {
      this.#head += chunk.toString('latin1')
      const bodyAt = this.#head.indexOf('\r\n\r\n') + 4
      if (bodyAt < 4) return
      this.#status = Number(this.#head.slice(9, 12))
      const length = Number(/\ncontent-length: (\d+)/i.exec(this.#head)?.[1])
      this.isLast = /\nconnection: close/i.test(this.#head)
      this.#left = length - (this.#head.length - bodyAt)
      this.#head = ''
    }
    if (this.#left === 0) this.#done?.()
  }
}

async function work(): Promise<void> {
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
      const status = await responses.ask()
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
  await work()
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
const report: LoadReport = { byStatus, failures }
process.stdout.write(`${JSON.stringify(report)}\n`)
