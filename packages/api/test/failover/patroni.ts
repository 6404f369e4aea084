import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { atEnd } from '@muster/testing/at-end'
import { Client } from 'pg'

/**
 * Nodes of deploy/patroni/patroni.yml and three etcd, on loopback addresses and with certificates
 * of the test.
 */
export function obstacle(name: string, ...others: string[]): string | false {
  if (process.env['MUSTER_LONG'] !== '1') return `runs only with --long: npm test -- --long ${name}`
  if (process.getuid?.() !== 0) return 'requires Linux and root'
  const isMissing = (program: string) =>
    spawnSync('sh', ['-c', `PATH=$PATH:/usr/sbin command -v ${program}`]).status !== 0
  const missing = ['patroni', 'etcd', 'openssl', 'runuser', 'curl', ...others].filter(isMissing)
  return missing.length > 0 ? `not installed: ${missing.join(', ')}` : false
}

export const names = ['h1', 'h2', 'h3'] as const
const shipped = new URL('../../../../deploy/patroni/patroni.yml', import.meta.url)
export const passwords = { superuser: 'one', replication: 'two', rewind: 'three' }

/**
 * A free port below the range of outgoing connections, one of which could take it before a slow
 * program listens.
 */
export async function stablePort(): Promise<number> {
  for (;;) {
    const port = 15_000 + randomInt(15_000)
    const probe = createServer()
    const isFree = await new Promise<boolean>((resolve) => {
      probe.once('error', () => resolve(false))
      probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
    })
    if (isFree) return port
  }
}

export interface Node {
  readonly name: string
  readonly port: number
  readonly rest: number
  /** Ends Patroni and PostgreSQL without notice, like the loss of a machine. */
  readonly kill: () => void
  /** Starts a killed node. */
  readonly start: () => void
}

/** What ends the processes, before their folder is removed. */
const ends: (() => void)[] = []

/** A folder with a certificate for 127.0.0.1, which the user postgres can read. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'muster-patroni-'))
  atEnd(async () => {
    for (const end of ends) end()
    // The processes of a killed server end by themselves.
    await sleep(2000)
    rmSync(folder, { recursive: true, force: true })
  })
  const script = `
    openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=ca -keyout ca.key -out ca.crt
    openssl req -newkey rsa:2048 -nodes -subj /CN=node -keyout node.key -out node.csr
    echo subjectAltName=IP:127.0.0.1,DNS:localhost >names
    openssl x509 -req -in node.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 2 \\
      -extfile names -out node.crt`
  execFileSync('sh', ['-euc', script], { cwd: folder, stdio: 'ignore' })
  const [user, group] = ['-u', '-g'].map((flag) =>
    Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' })),
  )
  mkdirSync(join(folder, 'data'))
  for (const path of ['', 'data', 'node.key', 'node.crt', 'ca.crt']) {
    chownSync(join(folder, path), user ?? 0, group ?? 0)
  }
  chmodSync(join(folder, 'node.key'), 0o600)
  return folder
}

/** Starts a program as postgres, in a process group that ends with the test. */
function startAs(command: string[], cwd: string, env: Record<string, string> = {}): ChildProcess {
  const log = openSync(join(cwd, 'log'), 'a')
  const child = spawn('runuser', ['-u', 'postgres', '--', ...command], {
    cwd,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', log, log],
    detached: true,
  })
  closeSync(log)
  ends.push(() => killGroup(child))
  return child
}

function killGroup({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, 'SIGKILL')
}

/** PostgreSQL has a process group of its own. */
function killPostmaster(data: string): void {
  try {
    const [pid] = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')
    process.kill(Number(pid), 'SIGKILL')
  } catch {
    // It does not run.
  }
}

/** Starts three etcd and returns their client addresses. */
export async function startEtcd(folder: string): Promise<string[]> {
  const ports = await Promise.all(names.map(async () => [await stablePort(), await stablePort()]))
  const peers = ports.map(([, peer], at) => `${names[at]}=http://127.0.0.1:${peer}`).join()
  for (const [at, [client, peer]] of ports.entries()) {
    const urls = [`https://127.0.0.1:${client}`, `http://127.0.0.1:${peer}`]
    const options = `
      --name=${names[at]} --data-dir=etcd-${names[at]}
      --listen-client-urls=${urls[0]} --advertise-client-urls=${urls[0]}
      --listen-peer-urls=${urls[1]} --initial-advertise-peer-urls=${urls[1]}
      --initial-cluster=${peers} --cert-file=node.crt --key-file=node.key
      --trusted-ca-file=ca.crt --client-cert-auth`
    startAs(['etcd', ...options.trim().split(/\s+/)], folder)
  }
  const addresses = ports.map(([client]) => `127.0.0.1:${client}`)
  for (const address of addresses) await waitForEtcd(folder, address)
  return addresses
}

/** Patroni 3.0 exits if it asks before the members have agreed on the version of the cluster. */
async function waitForEtcd(folder: string, address: string): Promise<void> {
  const files = ['--cacert', 'ca.crt', '--cert', 'node.crt', '--key', 'node.key']
  const args = ['-s', '--max-time', '2', ...files, `https://${address}/version`]
  for (let tries = 0; tries < 300; tries++) {
    const { stdout } = spawnSync('curl', args, { cwd: folder, encoding: 'utf8' })
    if (/"etcdcluster":"\d/.test(stdout)) return
    await sleep(200)
  }
  throw new Error(`etcd at ${address} is not ready within 60 s`)
}

/** The addresses of a node. Other machines reach it at other ports if a proxy is between them. */
export interface Places {
  readonly port: number
  readonly rest: number
  /** PostgreSQL and the REST API as the other nodes reach them. */
  readonly advertised: { readonly port: number; readonly rest: number }
  readonly etcd: readonly string[]
}

/** Addresses without a proxy. */
export async function placesOf(etcd: readonly string[]): Promise<Places> {
  const advertised = { port: await stablePort(), rest: await stablePort() }
  return { ...advertised, advertised, etcd }
}

/** Starts one node with the shipped file, in which only addresses and folders differ. */
export function startNode(folder: string, name: string, places: Places): Node {
  const file = join(folder, `${name}.yml`)
  const { port, rest, advertised, etcd } = places
  // Patroni must not learn the addresses of etcd from etcd: it would bypass a proxy.
  const hosts = `[${etcd.map((each) => `'${each}'`).join()}]\n  use_proxies: true`
  const config = readFileSync(shipped, 'utf8')
    .replaceAll('/etc/patroni/', `${folder}/`)
    .replace('[h1:2379, h2:2379, h3:2379]', hosts)
    .replace('0.0.0.0:8008', `127.0.0.1:${rest}`)
    .replace('0.0.0.0:5432', `127.0.0.1:${port}`)
    .replace('/var/lib/postgresql/muster', `${folder}/data/${name}`)
    .replace('/var/lib/postgresql/.pgpass-patroni', `${folder}/data/.pgpass-${name}`)
    .replace('/var/run/postgresql', folder)
  writeFileSync(file, config)
  const launch = () =>
    startAs(['patroni', file], folder, {
      PATRONI_NAME: name,
      PATRONI_RESTAPI_CONNECT_ADDRESS: `127.0.0.1:${advertised.rest}`,
      PATRONI_POSTGRESQL_CONNECT_ADDRESS: `127.0.0.1:${advertised.port}`,
      ...Object.fromEntries(
        Object.entries(passwords).map(([role, password]) => [
          `PATRONI_${role.toUpperCase()}_PASSWORD`,
          password,
        ]),
      ),
    })
  let child = launch()
  const kill = () => {
    killGroup(child)
    killPostmaster(join(folder, 'data', name))
  }
  ends.push(kill)
  const start = () => {
    child = launch()
  }
  return { name, port, rest, kill, start }
}

/** Runs a statement on a node over TLS; null when it does not answer. */
export async function ask({ port }: Node, statement: string): Promise<string | null> {
  const client = new Client({
    connectionString: `postgres://postgres:${passwords.superuser}@127.0.0.1:${port}/postgres`,
    ssl: { rejectUnauthorized: false },
    connectionTimeoutMillis: 1000,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ answer: unknown }>(statement)
    return String(rows[0]?.answer)
  } catch {
    return null
  } finally {
    await client.end().catch(() => {})
  }
}

const isPrimary = 'select not pg_is_in_recovery() as answer'

const hasStandby = `select not pg_is_in_recovery()
  and exists (select from pg_stat_replication where sync_state = 'sync') as answer`

/** The primary with all its standbys. */
export const isComplete = `select not pg_is_in_recovery() and 2 =
  (select count(*) from pg_stat_replication where state = 'streaming') as answer`

/** The node for which a statement returns true. */
export async function nodeThat(
  nodes: readonly Node[],
  statement: string,
  seconds: number,
): Promise<Node> {
  const began = performance.now()
  while (performance.now() - began < seconds * 1000) {
    for (const node of nodes) if ((await ask(node, statement)) === 'true') return node
    await sleep(200)
  }
  throw new Error(`no node within ${seconds} s: ${statement}`)
}

/** The node that accepts writes and has a synchronous standby. */
export const primaryOf = (nodes: readonly Node[], seconds: number) =>
  nodeThat(nodes, hasStandby, seconds)

/** The node that accepts writes, with or without a standby. */
export const promotedOf = (nodes: readonly Node[], seconds: number) =>
  nodeThat(nodes, isPrimary, seconds)
