import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { Client } from 'pg'

import { freePort, read } from './follow.ts'

/**
 * `npm test -- --long patroni`: runs three nodes with deploy/patroni/patroni.yml and three etcd, on
 * loopback addresses and with certificates of the test, and kills the primary.
 */
function obstacle(): string | false {
  if (process.env['MUSTER_LONG'] !== '1') return 'runs only with --long: npm test -- --long patroni'
  if (process.getuid?.() !== 0) return 'requires Linux and root'
  const missing = ['patroni', 'etcd', 'openssl', 'runuser'].filter(
    (program) => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0,
  )
  return missing.length > 0 ? `not installed: ${missing.join(', ')}` : false
}

const names = ['h1', 'h2', 'h3'] as const
const passwords = { superuser: 'one', replication: 'two', rewind: 'three' }

interface Node {
  readonly name: string
  readonly port: string
  /** Ends Patroni and PostgreSQL without notice, like the loss of a machine. */
  readonly kill: () => void
}

/** What ends the processes, before their folder is removed. */
const ends: (() => void)[] = []

/** A folder with a certificate for 127.0.0.1, which the user postgres can read. */
function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'muster-patroni-'))
  after(async () => {
    for (const end of ends) end()
    // The processes of a killed server end by themselves.
    await sleep(2000)
    rmSync(folder, { recursive: true, force: true })
  })
  const script = `
    openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=ca -keyout ca.key -out ca.crt
    openssl req -newkey rsa:2048 -nodes -subj /CN=node -keyout node.key -out node.csr
    echo subjectAltName=IP:127.0.0.1 >names
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
  const child = spawn('runuser', ['-u', 'postgres', '--', ...command], {
    cwd,
    env: { PATH: process.env['PATH'], ...env },
    stdio: 'ignore',
    detached: true,
  })
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
async function startEtcd(folder: string): Promise<string[]> {
  const ports = await Promise.all(names.map(async () => [await freePort(), await freePort()]))
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
  return ports.map(([client]) => `127.0.0.1:${client}`)
}

/** Starts one node with the shipped file, in which only addresses and folders differ. */
async function startNode(folder: string, name: string, etcd: readonly string[]): Promise<Node> {
  const [rest, port] = [await freePort(), await freePort()]
  const file = join(folder, `${name}.yml`)
  const config = read('deploy/patroni/patroni.yml')
    .replaceAll('/etc/patroni/', `${folder}/`)
    .replace('[h1:2379, h2:2379, h3:2379]', `[${etcd.map((each) => `'${each}'`).join()}]`)
    .replace('0.0.0.0:8008', `127.0.0.1:${rest}`)
    .replace('0.0.0.0:5432', `127.0.0.1:${port}`)
    .replace('/var/lib/postgresql/muster', `${folder}/data/${name}`)
    .replace('/var/lib/postgresql/.pgpass-patroni', `${folder}/data/.pgpass-${name}`)
    .replace('/var/run/postgresql', folder)
  writeFileSync(file, config)
  const child = startAs(['patroni', file], folder, {
    PATRONI_NAME: name,
    PATRONI_RESTAPI_CONNECT_ADDRESS: `127.0.0.1:${rest}`,
    PATRONI_POSTGRESQL_CONNECT_ADDRESS: `127.0.0.1:${port}`,
    ...Object.fromEntries(
      Object.entries(passwords).map(([role, password]) => [
        `PATRONI_${role.toUpperCase()}_PASSWORD`,
        password,
      ]),
    ),
  })
  const kill = () => {
    killGroup(child)
    killPostmaster(join(folder, 'data', name))
  }
  ends.push(kill)
  return { name, port, kill }
}

/** Runs a statement on a node over TLS; null when it does not answer. */
async function ask({ port }: Node, statement: string): Promise<string | null> {
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

/** The node that accepts writes and has a synchronous standby. */
async function primaryOf(nodes: readonly Node[], seconds: number): Promise<Node> {
  const statement = `select not pg_is_in_recovery()
    and exists (select from pg_stat_replication where sync_state = 'sync') as answer`
  const began = performance.now()
  while (performance.now() - began < seconds * 1000) {
    for (const node of nodes) if ((await ask(node, statement)) === 'true') return node
    await sleep(200)
  }
  throw new Error(`no primary with a synchronous standby within ${seconds} s`)
}

const skip = obstacle()

test('three nodes elect a primary, and replace it when it is killed', { skip }, async (t) => {
  const folder = makeFolder()
  const etcd = await startEtcd(folder)
  const nodes: Node[] = []
  for (const name of names) nodes.push(await startNode(folder, name, etcd))
  const first = await primaryOf(nodes, 120)
  await ask(first, 'create table proof as select 42 as answer')
  t.diagnostic(`${first.name} is the primary, with a synchronous standby`)

  const began = performance.now()
  first.kill()
  const second = await primaryOf(
    nodes.filter((node) => node !== first),
    60,
  )
  t.diagnostic(
    `${second.name} is the primary, with a standby, after ${(performance.now() - began).toFixed()} ms`,
  )
  assert.equal(await ask(second, 'select answer from proof'), '42', 'the acknowledged write')
})
