import { readFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { createKey } from '#domain/auth/keys'
import { administrator } from '#domain/engine/caller'
import { createWorkspace } from '#domain/workspace/workspaces'
import { createPool } from '#storage/connection/pool'
import { Database } from '#storage/transaction/database'
import { startDeployedHaproxyWithTls } from '#test/edge/haproxy'
import { connect } from '#test/support/database'
import { longTimeouts } from '#test/support/long-timeouts'
import { type Running, runToEnd, startProcess } from '#test/support/process'
import { type Proxy, startProxy } from '#test/support/proxy'

import {
  ask,
  isComplete,
  makeFolder,
  names,
  type Node,
  nodeThat,
  passwords,
  primaryOf,
  stablePort,
  startEtcd,
  startNode,
} from './patroni.ts'

/** A node behind TCP proxies of the test. */
export interface LinkedNode extends Node {
  /** What the service connects to. */
  readonly clients: Proxy
  /** What the standbys connect to. */
  readonly peers: Proxy
  /** The REST API, as the other nodes reach it. */
  readonly api: Proxy
  /** The connections of this node to etcd. */
  readonly etcd: readonly Proxy[]
}

const portOf = ({ url }: Proxy) => Number(new URL(url).port)

const proxyTo = (place: string) => startProxy(`http://${place}`)

async function startLinkedNode(
  folder: string,
  name: string,
  etcd: readonly string[],
): Promise<LinkedNode> {
  const [port, rest] = [await stablePort(), await stablePort()]
  const links = {
    clients: await proxyTo(`127.0.0.1:${port}`),
    peers: await proxyTo(`127.0.0.1:${port}`),
    api: await proxyTo(`127.0.0.1:${rest}`),
    etcd: await Promise.all(etcd.map(proxyTo)),
  }
  const advertised = { port: portOf(links.peers), rest: portOf(links.api) }
  const throughProxies = links.etcd.map((proxy) => `127.0.0.1:${portOf(proxy)}`)
  const places = { port, rest, advertised, etcd: throughProxies }
  return { ...startNode(folder, name, places), ...links }
}

/** Three nodes of Patroni, and two processes of the service behind HAProxy. */
export class Deployment {
  readonly nodes: readonly LinkedNode[]
  readonly token: string
  /** The service, through HAProxy. */
  readonly base: string
  readonly #folder: string
  readonly #rollout: string
  readonly #processes: readonly ServiceProcess[]

  constructor(parts: {
    folder: string
    nodes: readonly LinkedNode[]
    token: string
    base: string
    rollout: string
    processes: readonly ServiceProcess[]
  }) {
    this.#folder = parts.folder
    this.nodes = parts.nodes
    this.token = parts.token
    this.base = parts.base
    this.#rollout = parts.rollout
    this.#processes = parts.processes
  }

  get processes(): readonly ServiceProcess[] {
    return this.#processes
  }

  linked(node: Node): LinkedNode {
    const found = this.nodes.find(({ name }) => name === node.name)
    if (!found) throw new Error(`no node ${node.name}`)
    return found
  }

  except(node: Node): LinkedNode[] {
    return this.nodes.filter(({ name }) => name !== node.name)
  }

  /** Waits until all nodes and processes serve, and returns the primary. */
  async complete(seconds = 180): Promise<LinkedNode> {
    await this.processesServe(seconds)
    const node = await nodeThat(this.nodes, isComplete, seconds)
    return this.linked(node)
  }

  /** The same, with a synchronous standby. */
  async synchronous(seconds = 180): Promise<LinkedNode> {
    await this.complete(seconds)
    return this.linked(await primaryOf(this.nodes, seconds))
  }

  /** Waits until HAProxy sees both processes. */
  async processesServe(seconds: number): Promise<void> {
    for (let tries = 0; tries < seconds * 10; tries++) {
      const reply = await fetch(this.#rollout).catch(() => null)
      if (reply?.status === 200) return
      await sleep(100)
    }
    throw new Error(`HAProxy does not see both processes within ${seconds} s`)
  }

  async syncStandbyOf(primary: Node): Promise<LinkedNode> {
    const name = await ask(
      primary,
      `select application_name as answer from pg_stat_replication where sync_state = 'sync'`,
    )
    return this.linked({ ...primary, name: name ?? '' })
  }

  /** Connects to the database of the service on one node, as a superuser and over TLS. */
  sqlOf({ port }: Node) {
    return connect(urlOf(this.#folder, [`localhost:${port}`]))
  }

  /** Calls the REST API of Patroni, with the certificate that changes require. */
  patroni(node: Node, call: string, body?: object): Promise<string> {
    const [method, path] = call.split(' ')
    const [ca, cert, key] = ['ca.crt', 'node.crt', 'node.key'].map((file) =>
      readFileSync(join(this.#folder, file)),
    )
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    const options = { host: '127.0.0.1', port: node.rest, method, path, ca, cert, key }
    const sent = request(
      { ...options, headers: { 'content-type': 'application/json' } },
      (reply) => {
        let text = ''
        reply.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
        reply.once('end', () => {
          if (reply.statusCode === 200) resolve(text)
          else reject(new Error(`${call}: ${reply.statusCode} ${text}`))
        })
      },
    )
    sent.once('error', reject)
    sent.end(body === undefined ? undefined : JSON.stringify(body))
    return promise
  }

  switchover(from: Node, to: Node): Promise<string> {
    return this.patroni(from, 'POST /switchover', { leader: from.name, candidate: to.name })
  }
}

/** One process of the service, on a port that it keeps. */
export class ServiceProcess {
  readonly port: number
  readonly #url: string
  #running: Running | null = null

  constructor(url: string, port: number) {
    this.#url = url
    this.port = port
  }

  async start(): Promise<void> {
    const env = { PORT: String(this.port), TRUSTED_PROXIES: '127.0.0.1' }
    this.#running = await startProcess(this.#url, env, { timeouts: 'product' })
  }

  kill(): void {
    this.#running?.process.kill('SIGKILL')
  }

  get log(): string {
    return this.#running?.log() ?? ''
  }
}

function urlOf(folder: string, hosts: readonly string[]): string {
  const tls = `sslmode=verify-full&sslrootcert=${encodeURIComponent(join(folder, 'ca.crt'))}`
  const user = `postgres:${passwords.superuser}`
  return `postgres://${user}@${hosts.join()}/muster?target_session_attrs=read-write&${tls}`
}

async function createToken(url: string): Promise<string> {
  await using owner = new Database(
    createPool({ url, role: 'muster_owner', max: 2, timeouts: longTimeouts }),
    longTimeouts,
  )
  const { id } = await createWorkspace(owner, 'Failover')
  const scopes = ['personnel.read', 'personnel.manage'] as const
  const input = { name: 'Failover', scopes: [...scopes], expiresInHours: null }
  const { token } = await createKey(administrator(owner, id), input)
  return token
}

export async function startDeployment(): Promise<Deployment> {
  const folder = makeFolder()
  const etcd = await startEtcd(folder)
  const nodes: LinkedNode[] = []
  for (const name of names) nodes.push(await startLinkedNode(folder, name, etcd))
  const primary = await primaryOf(nodes, 180)
  await ask(primary, 'create database muster')
  const url = urlOf(
    folder,
    nodes.map(({ clients }) => `localhost:${portOf(clients)}`),
  )
  const migrated = await runToEnd('migrate', { DATABASE_URL: url })
  if (migrated.code !== 0) throw new Error(migrated.stderr)
  const token = await createToken(url)
  const processes = [
    new ServiceProcess(url, await stablePort()),
    new ServiceProcess(url, await stablePort()),
  ]
  for (const each of processes) await each.start()
  const proxy = await startDeployedHaproxyWithTls(processes.map(({ port }) => port))
  return new Deployment({ folder, nodes, token, processes, ...proxy })
}
