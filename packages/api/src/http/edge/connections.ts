import type { Server } from 'node:http'
import type { Socket } from 'node:net'

import type { HttpExchange } from './admission.ts'

/**
 * How long an idle connection is kept. Holding connections open must cost an anonymous client more
 * than one request a minute for each of them.
 */
export const keepAliveMs = { anonymous: 5000, authenticated: 72_000 } as const

const keepAliveHeader = { 'keep-alive': `timeout=${keepAliveMs.authenticated / 1000}` }

/** Requests of one connection that are in flight at once. Later ones are queued. */
const pipelineDepthMax = 8

/** Requests that are queued on all connections together. Each takes a few KiB of memory. */
const queuedMax = 10_000

/** The fraction of the maximum above which a new connection evicts an idle one. */
const evictionThreshold = 0.9

interface Connection {
  readonly socket: Socket
  isAuthenticated: boolean
  /** Requests that were dispatched, and whose response has not been sent. */
  inFlight: number
  /** Pipelined requests that wait until an earlier one has been answered. */
  readonly queued: (() => void)[]
  isStartScheduled: boolean
}

/** Why a connection was closed by the server. */
type DropReason = 'evicted' | 'refused' | 'flooding'

/**
 * The open connections of all listeners, with limits on pipelining and on their number.
 *
 * Pipelining: node dispatches every request of a chunk that it has read, which can be more than a
 * thousand, and other connections wait until all of them are answered. So at most 8 requests of a
 * connection are in flight. The others are queued, nothing is read from the connection meanwhile,
 * and one starts in each turn of the event loop.
 *
 * Connection limit: at 90 % of the maximum, each new connection evicts the one that has been idle
 * longest, starting with those that never authenticated. A connection with a request in flight is
 * never evicted. When all connections have one, new ones are refused.
 */
export class ConnectionTable {
  readonly #max: number
  readonly #connections = new Map<Socket, Connection>()
  /** Ordered by the time at which they became idle. */
  readonly #idle = {
    anonymous: new Set<Connection>(),
    authenticated: new Set<Connection>(),
  }
  readonly #dropped: Record<DropReason, number> = { evicted: 0, refused: 0, flooding: 0 }
  #queued = 0

  /** More than 10 000 would exceed the file descriptor limit of most systems. */
  constructor(max = 10_000) {
    this.#max = max
  }

  get counts() {
    const idle = this.#idle.anonymous.size + this.#idle.authenticated.size
    return { idle, busy: this.#connections.size - idle }
  }

  get dropped(): Readonly<Record<DropReason, number>> {
    return this.#dropped
  }

  /** Registers a connection before the server's own listener handles it. */
  watch(server: Server): void {
    server.prependListener('connection', (socket) => this.#open(socket))
  }

  /** Dispatches a request, now or when earlier requests of its connection have been answered. */
  receive({ request, response }: HttpExchange, handle: () => void): void {
    const connection = this.#connections.get(request.socket)
    // A connection that was just closed can have more requests in the chunk that was read last.
    if (connection === undefined) return
    const start = () => {
      connection.inFlight += 1
      this.#idle.anonymous.delete(connection)
      this.#idle.authenticated.delete(connection)
      response.once('close', () => this.#finish(connection))
      handle()
    }
    if (connection.queued.length === 0 && connection.inFlight < pipelineDepthMax) start()
    else this.#enqueue(connection, start)
  }

  /**
   * Marks a connection as authenticated: it is kept longer, and evicted last. Returns the header
   * that announces it.
   */
  authenticate({ request, response }: HttpExchange): Readonly<Record<string, string>> {
    const connection = this.#connections.get(request.socket)
    if (connection) connection.isAuthenticated = true
    return response.shouldKeepAlive ? keepAliveHeader : {}
  }

  #open(socket: Socket): void {
    if (this.#connections.size >= this.#max * evictionThreshold) this.#evictIdle()
    if (this.#connections.size >= this.#max) {
      this.#dropped.refused += 1
      socket.destroy()
      return
    }
    const connection: Connection = {
      socket,
      isAuthenticated: false,
      inFlight: 0,
      queued: [],
      isStartScheduled: false,
    }
    this.#connections.set(socket, connection)
    this.#idle.anonymous.add(connection)
    socket.once('close', () => this.#remove(connection))
  }

  #evictIdle(): void {
    const [longestIdle] =
      this.#idle.anonymous.size > 0 ? this.#idle.anonymous : this.#idle.authenticated
    if (longestIdle) this.#drop(longestIdle, 'evicted')
  }

  #drop(connection: Connection, reason: DropReason): void {
    this.#dropped[reason] += 1
    this.#remove(connection)
    connection.socket.destroy()
  }

  #remove(connection: Connection): void {
    this.#connections.delete(connection.socket)
    this.#idle.anonymous.delete(connection)
    this.#idle.authenticated.delete(connection)
    this.#queued -= connection.queued.length
    connection.queued.length = 0
  }

  #enqueue(connection: Connection, start: () => void): void {
    if (this.#queued >= queuedMax) {
      this.#drop(connection, 'flooding')
      return
    }
    const { socket, queued } = connection
    queued.push(start)
    this.#queued += 1
    if (queued.length > 1) return
    socket.pause()
    // Node resumes a socket when a response was sent or a body is read.
    const stayPaused = () => {
      if (queued.length > 0) socket.pause()
      else socket.off('resume', stayPaused)
    }
    socket.on('resume', stayPaused)
  }

  #finish(connection: Connection): void {
    if (!this.#connections.has(connection.socket)) return
    connection.inFlight -= 1
    if (connection.queued.length > 0) this.#startNext(connection)
    else if (connection.inFlight === 0) this.#markIdle(connection)
  }

  /** Starts one request per turn of the event loop, so that other connections are served too. */
  #startNext(connection: Connection): void {
    if (connection.isStartScheduled) return
    connection.isStartScheduled = true
    setImmediate(() => {
      connection.isStartScheduled = false
      const start = connection.queued.shift()
      if (start === undefined) return
      this.#queued -= 1
      start()
      if (connection.queued.length === 0) connection.socket.resume()
      else if (connection.inFlight < pipelineDepthMax) this.#startNext(connection)
    })
  }

  #markIdle(connection: Connection): void {
    if (!connection.isAuthenticated) {
      this.#idle.anonymous.add(connection)
      return
    }
    this.#idle.authenticated.add(connection)
    // Node has set the time-out for anonymous connections when the response was sent.
    connection.socket.setTimeout(keepAliveMs.authenticated)
  }
}
