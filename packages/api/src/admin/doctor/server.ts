import { jobConnections } from '#storage/connection/pool'
import { selectLogin } from '#storage/inspect/roles'
import {
  selectServer,
  selectServerTime,
  selectSettings,
  type ServerState,
} from '#storage/inspect/server'

import { type Check, count, failure, type Finding, formatDuration, ok, warning } from './finding.ts'

const settingsView = 'select on pg_settings'
/** The lowest supported version of PostgreSQL. */
const majorMin = 15

export const server: Check = {
  name: 'server',
  as: 'login',
  needs: settingsView,
  run: async (db) => [judgeServer(await selectServer(db))],
}

export function judgeServer({ version, versionNumber, isStandby }: ServerState): Finding {
  if (versionNumber < majorMin * 10_000) {
    const next = `Upgrade the server to PostgreSQL ${majorMin} or later.`
    return failure(`PostgreSQL ${version} is not supported.`, next)
  }
  if (isStandby) {
    const found = `The server is a standby (PostgreSQL ${version}). Its WAL was not checked.`
    return failure(found, 'Set DATABASE_URL to the URL of the primary, or promote the standby.')
  }
  return ok(`PostgreSQL ${version}, a primary.`)
}

const skewWarningMs = 1000
const skewErrorMs = 60_000
const samples = 5

/** Compares the clock of this machine with that of the database. */
export const clock: Check = {
  name: 'clock',
  as: 'login',
  needs: settingsView,
  run: async (db) => {
    const measured = []
    for (let sample = 0; sample < samples; sample++) {
      const before = Date.now()
      const serverMs = await selectServerTime(db)
      const roundTripMs = Date.now() - before
      measured.push({ roundTripMs, skewMs: serverMs - before - roundTripMs / 2 })
    }
    // The shortest round trip has the smallest error, which is at most half of it.
    const [best] = measured.toSorted((a, b) => a.roundTripMs - b.roundTripMs)
    const { roundTripMs = 0, skewMs = 0 } = best ?? {}
    const isAhead = skewMs > 0
    const certainMs = Math.max(0, Math.abs(skewMs) - roundTripMs / 2)
    if (certainMs < skewWarningMs) return [ok('The clocks of this machine and the database agree.')]
    const amount = formatDuration(certainMs / 1000)
    const found = `The clock of the database is ${amount} ${isAhead ? 'ahead' : 'behind'}.`
    const next = 'Synchronise the clocks of both machines with NTP.'
    return [certainMs < skewErrorMs ? warning(found, next) : failure(found, next)]
  },
}

/** Connections that other clients need: administrators, backups, monitoring. */
const spareConnections = 10

/** The pools of all processes fit into the connections of the server. */
export const connections: Check = {
  name: 'connections',
  as: 'login',
  needs: settingsView,
  run: async (db, { poolMax, processes }) => {
    const reserved = ['superuser_reserved_connections', 'reserved_connections']
    const settings = await selectSettings(db, ['max_connections', ...reserved])
    const max = Number(settings.get('max_connections'))
    const usable = max - reserved.reduce((sum, name) => sum + Number(settings.get(name) ?? 0), 0)
    const needed = (poolMax + jobConnections) * processes
    const each = `(DATABASE_POOL_MAX ${poolMax} + ${jobConnections})`
    const sum = `${count(processes, 'process', 'processes')} × ${each}`
    const found = `${sum} = ${needed} of ${max} connections (max_connections).`
    const next = 'Lower DATABASE_POOL_MAX, or raise max_connections and restart PostgreSQL.'
    if (needed > usable) return [failure(found, next)]
    return [needed + spareConnections > max ? warning(found, next) : ok(found)]
  },
}

/** A committed write survives a crash of the server. */
export const durability: Check = {
  name: 'durability',
  as: 'login',
  needs: settingsView,
  run: async (db) => {
    const names = ['fsync', 'full_page_writes']
    const settings = await selectSettings(db, names)
    return names.map((name) => {
      if (settings.get(name) === 'on') return ok(`${name} is on.`)
      const found = `${name} is off: a crash of the server can destroy the database.`
      return failure(found, `Set ${name} = on in postgresql.conf and reload PostgreSQL.`)
    })
  },
}

/** Read as the service: the setting can differ by database and by user. */
export const synchronousCommit: Check = {
  name: 'synchronous-commit',
  as: 'service',
  needs: 'muster_app',
  run: async (db) => {
    const settings = await selectSettings(db, ['synchronous_commit', 'synchronous_standby_names'])
    const value = settings.get('synchronous_commit') ?? ''
    const found = `synchronous_commit is ${value} for the service`
    const next =
      'Set synchronous_commit = on: in postgresql.conf, ' +
      'and in ALTER DATABASE and ALTER ROLE if they change it.'
    if (value === 'off') return [failure(`${found}: a crash loses confirmed writes.`, next)]
    if (value === 'local' && settings.get('synchronous_standby_names') !== '') {
      return [warning(`${found}: a failover loses confirmed writes.`, next)]
    }
    return [ok(`${found}.`)]
  },
}

/** The login of the service has no more rights than muster_app. */
export const serviceLogin: Check = {
  name: 'service-login',
  as: 'service',
  needs: 'muster_app',
  run: async (db, { hasServiceUrl }) => {
    const { name, isSuperuser, bypassesRowSecurity, isOwner } = await selectLogin(db)
    if (!hasServiceUrl) {
      return [ok(`${name} acts as muster_app. DATABASE_SERVICE_URL is not set here.`)]
    }
    if (!isSuperuser && !bypassesRowSecurity && !isOwner) return [ok(`${name} is muster_app only.`)]
    const right = isSuperuser
      ? 'is a superuser'
      : bypassesRowSecurity
        ? 'bypasses row level security'
        : 'may act as muster_owner'
    const next = 'Create a separate login for it: docs/guides/self-host.md#database-roles'
    return [warning(`The login of the service, ${name}, ${right}.`, next)]
  },
}
