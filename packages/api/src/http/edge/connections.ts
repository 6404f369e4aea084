import type { Server } from 'node:http'
import type { Socket } from 'node:net'

import type { Exchange } from './admission.ts'

/**
 * How long an idle connection is kept. Holding connections open must cost an anonymous client more
 * than one request a minute for each of them.
 */
export const keepAliveMs = { anonymous: 5000, authenticated: 72_000 } as const

/** Requests of one connection that are worked on at once. Those after them are held back. */
const pipelineDepthMax = 8

/** Requests that are held back on all connections together. Each takes a few KiB of memory. */
const heldMax = 10_000

/** The part of the maximum from which on idle connections are closed for new ones. */
const nearlyFull = 0.9

interface Connection {
  readonly socket: Socket
  isAuthenticated: boolean
  /** Requests that were handed on, and whose response has not been sent. */
  inWork: number
  /** Pipelined requests that wait until an earlier one has been answered. */
  readonly held: (() => void)[]
  isReleasing: boolean
}

/** Why a connection was closed by the server. */
type Drop = 'evicted' | 'refused' | 'flooding'

/**
 * The open connections of all listeners.
 *
 * The table limits pipelining. Node hands on every request of a chunk that it has read, which can
 * be more than a thousand, and other connections wait until all of them are answered. So at most
 * 8 requests of a connection are in work. The others are held back, nothing is read from the
 * connection meanwhile, and one is released in each turn of the event loop.
 *
 * The table limits connections. When it is nearly full, each new connection closes the one that has
 * been idle for longest, and those that never authenticated come first. A connection with a request
 * in work is never closed for another one. When all connections have one, new ones are refused.
 */
export class ConnectionTable {
  readonly #max: number
  readonly #connections = new Map<Socket, Connection>()
  /** In the order in which they became idle. */
  readonly #idle = {
    anonymous: new Set<Connection>(),
    authenticated: new Set<Connection>(),
  }
  readonly #dropped: Record<Drop, number> = { evicted: 0, refused: 0, flooding: 0 }
  #held = 0

  /** More than 10 000 would need more files than most systems let a process open. */
  constructor(max = 10_000) {
    this.#max = max
  }

  get counts() {
    const idle = this.#idle.anonymous.size + this.#idle.authenticated.size
    return { idle, busy: this.#connections.size - idle }
  }

  get dropped(): Readonly<Record<Drop, number>> {
    return this.#dropped
  }

  /** Must see a connection before the server's own listener does. */
  watch(server: Server): void {
    server.prependListener('connection', (socket) => this.#open(socket))
  }

  /** Hands a request on, now or when earlier requests of its connection have been answered. */
  receive({ request, response }: Exchange, handle: () => void): void {
    const connection = this.#connections.get(request.socket)
    // A connection that was just closed can have more requests in the chunk that was read last.
    if (connection === undefined) return
    const begin = () => {
      connection.inWork += 1
      this.#idle.anonymous.delete(connection)
      this.#idle.authenticated.delete(connection)
      response.once('close', () => this.#end(connection))
      handle()
    }
    if (connection.held.length === 0 && connection.inWork < pipelineDepthMax) begin()
    else this.#hold(connection, begin)
  }

  /** A request on this connection has passed authentication. */
  authenticate(socket: Socket): void {
    const connection = this.#connections.get(socket)
    if (connection) connection.isAuthenticated = true
  }

  #open(socket: Socket): void {
    if (this.#connections.size >= this.#max * nearlyFull) this.#evict()
    if (this.#connections.size >= this.#max) {
      this.#dropped.refused += 1
      socket.destroy()
      return
    }
    const connection: Connection = {
      socket,
      isAuthenticated: false,
      inWork: 0,
      held: [],
      isReleasing: false,
    }
    this.#connections.set(socket, connection)
    this.#idle.anonymous.add(connection)
    socket.once('close', () => this.#forget(connection))
  }

  #evict(): void {
    const [longest] =
      this.#idle.anonymous.size > 0 ? this.#idle.anonymous : this.#idle.authenticated
    if (longest) this.#drop(longest, 'evicted')
  }

  #drop(connection: Connection, why: Drop): void {
    this.#dropped[why] += 1
    this.#forget(connection)
    connection.socket.destroy()
  }

  #forget(connection: Connection): void {
    this.#connections.delete(connection.socket)
    this.#idle.anonymous.delete(connection)
    this.#idle.authenticated.delete(connection)
    this.#held -= connection.held.length
    connection.held.length = 0
  }

  #hold(connection: Connection, begin: () => void): void {
    if (this.#held >= heldMax) {
      this.#drop(connection, 'flooding')
      return
    }
    const { socket, held } = connection
    held.push(begin)
    this.#held += 1
    if (held.length > 1) return
    socket.pause()
    // Node resumes a socket by itself when a response was sent or a body is read.
    const stayPaused = () => {
      if (held.length > 0) socket.pause()
      else socket.off('resume', stayPaused)
    }
    socket.on('resume', stayPaused)
  }

  #end(connection: Connection): void {
    if (!this.#connections.has(connection.socket)) return
    connection.inWork -= 1
    if (connection.held.length > 0) this.#release(connection)
    else if (connection.inWork === 0) this.#rest(connection)
  }

  /** One in each turn of the event loop, so that other connections are served in between. */
  #release(connection: Connection): void {
    if (connection.isReleasing) return
    connection.isReleasing = true
    setImmediate(() => {
      connection.isReleasing = false
      const begin = connection.held.shift()
      if (begin === undefined) return
      this.#held -= 1
      begin()
      if (connection.held.length === 0) connection.socket.resume()
      else if (connection.inWork < pipelineDepthMax) this.#release(connection)
    })
  }

  #rest(connection: Connection): void {
    if (!connection.isAuthenticated) {
      this.#idle.anonymous.add(connection)
      return
    }
    this.#idle.authenticated.add(connection)
    // Node has set the time-out for anonymous connections when the response was sent.
    connection.socket.setTimeout(keepAliveMs.authenticated)
  }
}
