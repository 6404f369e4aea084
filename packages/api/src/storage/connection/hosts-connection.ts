/** Several hosts in one database URL, with target_session_attrs. The driver supports one host. */

import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

import { Connection, type ConnectionConfig, DatabaseError } from 'pg'

import { type DatabaseHost, nameOf, type SessionTarget } from './database-url.ts'

declare module 'pg' {
  // The driver has these members. Its types lack them.
  interface Connection {
    connect(portOrPath: number | string, host?: string): void
  }
  interface Client {
    readonly sslNegotiation: string
  }
  interface ClientConfig {
    readonly sslNegotiation?: string
  }
}

/** Several hosts of one database: only one of them is the primary. */
export interface Hosts {
  readonly hosts: readonly DatabaseHost[]
  readonly target: SessionTarget
}

/** No host accepted a connection. The message has the reason of each, and no password. */
export class HostsError extends Error {
  override readonly name = 'HostsError'
}

/** The time before the pool gives up, whose error names no host. */
const marginMs = 20

const cannotConnectNow = '57P03'

/** Whether the system reports the error, such as ECONNREFUSED. An error of TLS has another code. */
const isUnreachable = (error: unknown): error is Error & { code: unknown } =>
  error instanceof Error && 'code' in error && /^E(?!RR_)/.test(String(error.code))

/**
 * A connection to the first host that accepts it and has the wanted role. The driver supports one
 * host and a connection once, so failed attempts are hidden from it, and each has a socket of its
 * own. As in libpq, an unreachable or starting host and one in the wrong role lead to the next. An
 * invalid certificate and a refused password or database do not.
 * PostgreSQL reports its role before it is ready for queries, so no query is needed.
 * The attempts share the time limit: each gets an equal part of what is left, and the last all.
 */
export class HostsConnection extends Connection {
  declare stream: Duplex
  readonly #hosts: readonly DatabaseHost[]
  readonly #target: SessionTarget
  readonly #limitMs: number
  readonly #failures: string[] = []
  #socket: Socket
  #parameters = new Map<string, string>()
  #deadline = 0
  #timer: NodeJS.Timeout | undefined
  #isDecided = false

  constructor(config: ConnectionConfig, { hosts, target }: Hosts) {
    const socket = new Socket()
    super({ ...config, stream: () => socket })
    this.#socket = socket
    this.#hosts = hosts
    this.#target = target
    this.#limitMs = (config.connectionTimeoutMillis ?? 10_000) - marginMs
  }

  override connect(): void {
    this.#deadline = performance.now() + this.#limitMs
    this.#attempt()
  }

  override emit(event: string | symbol, ...args: unknown[]): boolean {
    if (this.#isDecided) return super.emit(event, ...args)
    if (event === 'parameterStatus') this.#remember(args[0])
    const failure = this.#failureOf(event, args[0])
    if (failure !== null) {
      this.#drop()
      this.#failures.push(`${nameOf(this.#host)}: ${failure}`)
      this.#attempt()
      return true
    }
    const isDecision = ['error', 'errorMessage', 'readyForQuery'].includes(String(event))
    if (isDecision) this.#decide()
    if (args[0] instanceof DatabaseError) args[0].message += ` (${nameOf(this.#host)})`
    return super.emit(event, ...args)
  }

  /** Destroys the socket. No further host is tried. */
  cut(): void {
    this.#decide()
    this.#socket.destroy()
  }

  get #host(): DatabaseHost {
    return this.#hosts[this.#failures.length] ?? { host: '', port: 0 }
  }

  #attempt(): void {
    const leftMs = this.#deadline - performance.now()
    const hostsLeft = this.#hosts.length - this.#failures.length
    if (hostsLeft === 0 || leftMs <= 0) {
      this.#decide()
      super.emit('error', new HostsError(this.#failures.join(', ')))
      return
    }
    const { host, port } = this.#host
    this.#parameters.clear()
    if (this.#socket.destroyed) this.stream = this.#socket = new Socket()
    const expire = () => this.#socket.destroy(new HostsError('timeout'))
    this.#timer = setTimeout(expire, leftMs / hostsLeft)
    if (host.startsWith('/')) super.connect(`${host}/.s.PGSQL.${port}`)
    else super.connect(port, host)
  }

  /** Why to try the next host; null to go on with this one. */
  #failureOf(event: string | symbol, detail: unknown): string | null {
    if (event === 'end') return 'the connection was closed'
    if (event === 'error' && detail instanceof HostsError) return detail.message
    if (event === 'error' && isUnreachable(detail)) return String(detail.code)
    if (event === 'errorMessage' && detail instanceof DatabaseError) {
      return detail.code === cannotConnectNow ? detail.message : null
    }
    return event === 'readyForQuery' ? this.#wrongRole() : null
  }

  #wrongRole(): string | null {
    const isOn = (name: string) => this.#parameters.get(name) === 'on'
    if (this.#target !== 'any' && isOn('in_hot_standby')) return 'is a standby'
    if (this.#target === 'read-write' && isOn('default_transaction_read_only'))
      return 'is read-only'
    return null
  }

  #remember(status: unknown): void {
    // The cast holds because the driver emits the event with this message.
    const { parameterName, parameterValue } = status as Record<string, string>
    if (parameterName && parameterValue) this.#parameters.set(parameterName, parameterValue)
  }

  #decide(): void {
    clearTimeout(this.#timer)
    this.#isDecided = true
  }

  /** With TLS, the stream is a wrapper of the socket. Later events of both are ignored. */
  #drop(): void {
    clearTimeout(this.#timer)
    for (const each of [this.stream, this.#socket]) {
      each.removeAllListeners()
      each.on('error', () => {})
      each.destroy()
    }
  }
}
