import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Loads a service, in a process of its own so that it takes nothing from whoever measures: so many
 * connections, each of which asks again as soon as it has been answered, whatever it was told. What
 * it saw is printed as JSON.
 */
export interface Load {
  readonly base: string
  readonly path: string
  readonly token: string
  readonly connections: number
  readonly seconds: number
  /** Not counted: at least so long, and until every connection has been answered once. */
  readonly warmSeconds: number
  /** Requests a second of all connections together; null for as many as can be. */
  readonly rate: number | null
}

/** Of the answers of one status. */
export interface Seen {
  readonly count: number
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
}

export interface LoadReport {
  readonly byStatus: Readonly<Record<string, Seen>>
  /** Connections that failed while an answer was waited for. */
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

/** When the next request is due, whoever sends it. */
const nextDue = () => (load.rate === null ? 0 : began + (asked++ * 1000) / load.rate)

/** It counts when all have been answered once, and the time has passed. */
function beginWhenAllWere(): void {
  firsts += 1
  if (firsts < load.connections) return
  countFrom = Math.min(countFrom, Math.max(performance.now(), began + load.warmSeconds * 1000))
  end = countFrom + load.seconds * 1000
}

function note(status: number, since: number): void {
  const now = performance.now()
  if (now < countFrom || now > end) return
  const seen = latencies.get(status)
  if (seen) seen.push(now - since)
  else latencies.set(status, [now - since])
}

/** Counts the bytes of answers, without keeping them: the driver must be cheaper than the service. */
class Answers {
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

  /** The status, or 0 when the connection ended before there was one. */
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
    const answers = new Answers(socket)
    open.add(socket)
    while (answers.isOpen && !answers.isLast && performance.now() < end) {
      const due = nextDue()
      const now = performance.now()
      if (due > now) await sleep(due - now)
      const since = Math.max(due, load.rate === null ? performance.now() : 0)
      const status = await answers.ask()
      if (isFirst) beginWhenAllWere()
      isFirst = false
      if (status === 0 && performance.now() < end) failures += 1
      else note(status, since)
    }
    socket.destroy()
    open.delete(socket)
  }
}

const at = (sorted: readonly number[], part: number) =>
  sorted[Math.floor((sorted.length - 1) * part)] ?? 0

// Connections that are opened in the same instant would be lost in the queue of the system.
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
  Array.from(latencies, ([status, seen]): [string, Seen] => {
    const sorted = seen.toSorted((a, b) => a - b)
    const perSecond = seen.length / load.seconds
    return [
      String(status),
      { count: seen.length, perSecond, p50: at(sorted, 0.5), p99: at(sorted, 0.99) },
    ]
  }),
)
const report: LoadReport = { byStatus, failures }
process.stdout.write(`${JSON.stringify(report)}\n`)
