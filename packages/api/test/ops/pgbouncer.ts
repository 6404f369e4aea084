import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { atEnd } from '@muster/testing/at-end'
import { freePort } from '@muster/testing/free-port'
import { Client } from 'pg'

const program = process.env['PGBOUNCER'] ?? 'pgbouncer'

/** Why PgBouncer cannot be tested here; false if it can. */
export function pgbouncerSkip(): string | false {
  const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' })
  const [, major = 0, minor = 0] = /^PgBouncer (\d+)\.(\d+)/.exec(stdout ?? '') ?? []
  if (Number(major) * 1000 + Number(minor) >= 1021) return false
  return 'needs PgBouncer 1.21 or later in the PATH or in PGBOUNCER'
}

export const shippedConfig = readFileSync(
  new URL('../../../../deploy/pgbouncer/pgbouncer.ini', import.meta.url),
  'utf8',
)

interface Pooled {
  /** The URL of the server, for all its databases. */
  readonly server: string
  /** The lines of `userlist.txt`. */
  readonly users: readonly string[]
  readonly config?: string
}

/** Starts PgBouncer with the shipped configuration, and returns its host and port. */
export async function startPgbouncer({ server, users, config = shippedConfig }: Pooled) {
  const folder = mkdtempSync(join(tmpdir(), 'muster-pgbouncer-'))
  const [listenPort, { hostname, port }] = [await freePort(), new URL(server)]
  const file = join(folder, 'pgbouncer.ini')
  const text = config
    .replace(/^muster = .*$/m, `* = host=${hostname} port=${port || 5432}`)
    .replace('6432', String(listenPort))
    .replace('/etc/pgbouncer', folder)
  writeFileSync(file, `${text}unix_socket_dir =\n`)
  writeFileSync(join(folder, 'userlist.txt'), `${users.join('\n')}\n`)
  chmodSync(folder, 0o755)
  // PgBouncer refuses to run as root.
  const unprivileged = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
  const child = spawn(program, [file], { stdio: ['ignore', 'ignore', 'pipe'], ...unprivileged })
  let log = ''
  child.stderr.on('data', (data: Buffer) => (log += data.toString()))
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  atEnd(async () => {
    child.kill('SIGTERM')
    child.kill('SIGTERM')
    await ended
    rmSync(folder, { recursive: true })
  })
  for (let tries = 0; !log.includes('process up'); tries++) {
    if (tries === 100 || child.exitCode !== null) throw new Error(`PgBouncer: ${log}`)
    await sleep(100)
  }
  return { place: `127.0.0.1:${listenPort}`, log: () => log }
}

/** A login of the service with these statements, and its line in `userlist.txt`. */
export async function createLogin(sql: Client, login: string, settings: readonly string[]) {
  await sql.query(`create role ${login} login noinherit password 'pooled'`)
  atEnd(async () => {
    // The client of a host ends before this.
    const client = new Client({ connectionString: process.env['DATABASE_URL'] })
    await client.connect()
    await client.query(`drop role ${login}`)
    await client.end()
  })
  await sql.query(`grant muster_app to ${login}; ${settings.join('\n')}`)
  const { rows } = await sql.query(
    `select format('"%s" "%s"', rolname, rolpassword) as line from pg_authid where rolname = $1`,
    [login],
  )
  return String(rows[0].line)
}
