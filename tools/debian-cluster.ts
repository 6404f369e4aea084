import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after } from 'node:test'

import { blocksOf, freePort, read, run } from './follow.ts'

/** A PostgreSQL cluster of Debian, on which the commands of a page run as root. */
const folder = mkdtempSync(join(tmpdir(), 'muster-cluster-'))
const [port, first, second] = [await freePort(), await freePort(), await freePort()]
const at = (path: string) => join(folder, path)

/** The newest installed version of PostgreSQL, or undefined. */
export const version = globSync('/usr/lib/postgresql/*')
  .map((path) => Number(basename(path)))
  .toSorted((a, b) => a - b)
  .at(-1)

/** The address of the first process of the service. */
export const base = `http://127.0.0.1:${first}`

/** Without systemd as init: the units of Debian and of deploy/systemd, with the same settings. */
const systemctl = `#!/usr/bin/env bash
set -euo pipefail
action=$1; shift
for unit in "$@"; do
  port=\${unit#muster@}
  pid=${folder}/$port.pid
  case $action.$unit in
    *.postgresql@${version}-main)
      pg_ctlcluster --skip-systemctl-redirect ${version} main "$action" ;;
    stop.muster@*)
      kill "$(cat "$pid")"
      while kill -0 "$(cat "$pid")" 2>/dev/null; do sleep 0.1; done ;;
    start.muster@*)
      unset DATABASE_URL
      set -a; . ${folder}/etc/service.env; set +a
      HOST=127.0.0.1 PORT=$port NODE_ENV=production setsid \\
        node_modules/.bin/node --disable-proto=delete packages/api/src/main.ts \\
        >>${folder}/service.log 2>&1 & echo $! >"$pid" ;;
  esac
done
`

/** The programs of PostgreSQL and pgBackRest use this cluster, also those that it starts itself. */
const env: Record<string, string> = {
  PATH: `${at('bin')}:${process.env['PATH']}`,
  PG_CLUSTER_CONF_ROOT: at('postgresql'),
  PGHOST: at('socket'),
  PGPORT: port,
  PGBACKREST_CONFIG: at('pgbackrest.conf'),
  PGBACKREST_LOG_PATH: at('log'),
  PGBACKREST_LOCK_PATH: at('lock'),
  PGBACKREST_SPOOL_PATH: at('spool'),
  PGBACKREST_PG1_PORT: port,
  PGBACKREST_PG1_SOCKET_PATH: at('socket'),
  DATABASE_URL: '',
}

/** Runs commands as root in one shell, and returns their output. */
export async function follow(commands: string): Promise<string> {
  const opening = `set -euo pipefail\ncurl() { command curl --fail "$@"; }\n`
  const { code, stdout, stderr } = await run(opening + commands, { env })
  const log = existsSync(at('postgres.log')) ? readFileSync(at('postgres.log'), 'utf8') : ''
  assert.equal(code, 0, `${commands}\n${stdout}${stderr}\n${log.slice(-3000)}`)
  return stdout
}

/** The blocks of commands of a section, with the folders and the ports of this cluster. */
export function commandsOf(page: string, title: string): string[] {
  const [, text] = read(page).split(new RegExp(`^## ${title}$`, 'm'))
  assert.ok(text, `${page} has no section ${title}`)
  const blocks = blocksOf(text.split(/^## /m)[0] ?? '').filter(({ language }) => language === 'sh')
  assert.ok(blocks.length > 0)
  return blocks.map((block) =>
    block.text
      .replaceAll(/\b15([/-])main/g, `${version}$1main`)
      .replaceAll('/etc/pgbackrest.conf', at('pgbackrest.conf'))
      .replaceAll('/etc/postgresql', at('postgresql'))
      .replaceAll(`/var/lib/postgresql/${version}/main`, at('data/main'))
      .replaceAll('/var/lib/pgbackrest', at('repository'))
      .replaceAll('/etc/muster', at('etc'))
      .replaceAll('/etc/cron.d', at('cron'))
      .replaceAll('127.0.0.1:5432', `127.0.0.1:${port}`)
      .replaceAll('8081', first)
      .replaceAll('8082', second),
  )
}

function prepareFolders(): void {
  chmodSync(folder, 0o755)
  for (const name of ['bin', 'cron', 'postgresql']) mkdirSync(at(name))
  const ofPostgres = ['data', 'socket', 'repository', 'log', 'lock', 'spool']
  for (const name of ofPostgres) mkdirSync(at(name))
  execFileSync('chown', ['postgres:', ...ofPostgres.map(at)])
  writeFileSync(at('bin/systemctl'), systemctl, { mode: 0o755 })
}

/** A cluster as `pg_createcluster` of Debian makes it, which trusts the superuser. */
export async function createCluster(): Promise<void> {
  prepareFolders()
  const options = `-d ${at('data/main')} -s ${at('socket')} -l ${at('postgres.log')} -p ${port}`
  await follow(`pg_createcluster ${options} --start-conf manual ${version} main`)
  const conf = at(`postgresql/${version}/main`)
  const hba = readFileSync(join(conf, 'pg_hba.conf'), 'utf8')
  writeFileSync(join(conf, 'pg_hba.conf'), `host all postgres 127.0.0.1/32 trust\n${hba}`)
  const passed = Object.entries(env).filter(([name]) => name.startsWith('PGBACKREST'))
  const lines = passed.map(([name, value]) => `${name} = '${value}'\n`)
  appendFileSync(join(conf, 'environment'), lines.join(''))
  await follow(`systemctl start postgresql@${version}-main`)
}

const [standby, standbyPort] = [at('data/standby'), await freePort()]
const standbyCtl = `runuser -u postgres -- /usr/lib/postgresql/${version}/bin/pg_ctl -D ${standby}`

/** Makes a standby as the manual of PostgreSQL does, and returns a way to query it. */
export async function startStandby(): Promise<(query: string) => Promise<string>> {
  const options = `-p ${standbyPort} -c unix_socket_directories=${at('socket')}`
  await follow(`
    runuser -u postgres -- pg_basebackup --checkpoint=fast --write-recovery-conf -D ${standby}
    runuser -u postgres -- touch ${standby}/postgresql.conf ${standby}/pg_ident.conf
    echo 'local all all peer' > ${standby}/pg_hba.conf
    ${standbyCtl} -o '${options}' -l ${at('log')}/standby.log --wait start`)
  return (query) =>
    follow(`runuser -u postgres -- psql -AtX -p ${standbyPort} muster -c "${query}"`)
}

after(async () => {
  if (!existsSync(at('bin'))) return rmSync(folder, { recursive: true })
  const units = `muster@${first} muster@${second} postgresql@${version}-main`
  if (existsSync(standby)) await run(`${standbyCtl} -m fast stop`, { env })
  await run(`for unit in ${units}; do systemctl stop $unit; done`, { env })
  rmSync(folder, { recursive: true })
})
