import { selectLogin } from '#storage/inspect/roles'
import { selectSettings } from '#storage/inspect/server'
import {
  type ArchiverState,
  type ReplicationSlot,
  selectArchiver,
  selectRecoveryTargets,
  selectReplicationSlots,
  selectStandbys,
  type Standby,
} from '#storage/inspect/wal'

import {
  type Check,
  count,
  failure,
  type Finding,
  formatBytes,
  formatDuration,
  ok,
  warning,
} from './finding.ts'

const waitingFilesMax = 8
const restart = 'in postgresql.conf and restart PostgreSQL'

/** The archive of the write-ahead log (WAL), for point-in-time recovery. */
export const archiving: Check = {
  name: 'archiving',
  as: 'login',
  needs: 'select on pg_stat_archiver',
  isOfPrimary: true,
  run: async (db) => [judgeArchiver(await selectArchiver(db))],
}

export function judgeArchiver(state: ArchiverState): Finding {
  const { mode, hasCommand, lastArchived, lastFailed, failures, isFailing } = state
  if (mode === 'off') {
    const next = `Without it only dumps protect the data. Set archive_mode = on ${restart}.`
    return warning('WAL archiving is off (archive_mode).', next)
  }
  if (!hasCommand) {
    const found =
      'WAL archiving is on without archive_command or archive_library: WAL fills the disk.'
    return failure(found, 'Set archive_command in postgresql.conf and reload PostgreSQL.')
  }
  if (isFailing) {
    const found = `WAL archiving fails: ${count(failures, 'failure')}, the last at ${lastFailed}.`
    return failure(found, 'Search the log of PostgreSQL for "archive command failed".')
  }
  if (lastArchived === null) {
    const next = 'Run as a superuser: select pg_switch_wal(), and check again after a minute.'
    return warning('WAL archiving is on, and no file has been archived.', next)
  }
  const age = formatDuration(state.archivedSecondsAgo ?? 0)
  // After a promotion, the history of the timeline is archived before the next WAL file.
  if (lastArchived.endsWith('.history')) return ok(`${lastArchived} was archived ${age} ago.`)
  const waiting = waitingFiles(state, lastArchived)
  const found = `${count(waiting, 'WAL file')} waiting, the last was archived ${age} ago.`
  if (waiting <= waitingFilesMax) return ok(found)
  return warning(found, 'Check that the archive command is fast enough and does not hang.')
}

/** The complete WAL files after the last archived one. */
function waitingFiles({ currentFile, fileBytes }: ArchiverState, lastArchived: string): number {
  const filesPerLog = 2 ** 32 / fileBytes
  const numberOf = (file: string) =>
    Number.parseInt(file.slice(8, 16), 16) * filesPerLog + Number.parseInt(file.slice(16, 24), 16)
  return Math.max(0, numberOf(currentFile) - numberOf(lastArchived) - 1)
}

const lagBytesMax = 64 * 1024 ** 2

export const standbys: Check = {
  name: 'standbys',
  as: 'login',
  needs: 'pg_read_all_stats',
  isOfPrimary: true,
  run: async (db) => {
    const [found, login] = [await selectStandbys(db), await selectLogin(db)]
    const settings = await selectSettings(db, ['synchronous_standby_names'])
    const isSynchronous = settings.get('synchronous_standby_names') !== ''
    if (found.length > 0 && !login.readsStatistics) {
      const next = `Run as a superuser: grant pg_read_all_stats to ${login.name}`
      const hidden = 'The lag is not readable without pg_read_all_stats.'
      return [warning(`${count(found.length, 'standby')} connected. ${hidden}`, next)]
    }
    const findings = found.map(judgeStandby)
    if (isSynchronous && !found.some(({ syncState }) => /sync|quorum/.test(syncState ?? ''))) {
      const text = 'synchronous_standby_names is set, and no synchronous standby is connected.'
      const next = 'Writes wait until one is: start the standby, or clear the setting and reload.'
      findings.push(failure(text, next))
    }
    return findings.length > 0 ? findings : [ok('No standby is connected.')]
  },
}

function judgeStandby({ name, state, syncState, lagBytes }: Standby): Finding {
  if (state === 'backup') return ok(`${name}: a base backup is in progress.`)
  const lag = lagBytes === null ? 'unknown lag' : `${formatBytes(lagBytes)} behind`
  const found = `${name}: ${state}, ${syncState}, ${lag}.`
  if (state === 'streaming' && lagBytes !== null && lagBytes <= lagBytesMax) return ok(found)
  return warning(found, 'Check the log, the disk and the network of the standby.')
}

export const replicationSlots: Check = {
  name: 'replication-slots',
  as: 'login',
  needs: 'select on pg_replication_slots',
  isOfPrimary: true,
  run: async (db) => {
    const slots = await selectReplicationSlots(db)
    const settings = await selectSettings(db, ['max_wal_size'])
    const bytesMax = Number(settings.get('max_wal_size')) * 1024 ** 2
    if (slots.length === 0) return [ok('There is no replication slot.')]
    return slots.map((slot) => judgeSlot(slot, bytesMax))
  },
}

/** A slot that is not used retains WAL without limit, until the disk is full. */
function judgeSlot(slot: ReplicationSlot, bytesMax: number): Finding {
  const { name, isActive, walStatus } = slot
  const bytes = slot.retainedBytes ?? 0
  const found = `${name}: ${isActive ? 'active' : 'inactive'}, retains ${formatBytes(bytes)} of WAL.`
  const drop = `run as a superuser: select pg_drop_replication_slot('${name}')`
  if (walStatus === 'lost') {
    return failure(`${name}: its WAL was removed.`, `Create its standby again, or ${drop}`)
  }
  if (isActive) {
    if (bytes <= bytesMax) return ok(found)
    return warning(found, 'Check the log, the disk and the network of its standby.')
  }
  const next = `Start its standby, or ${drop}`
  return bytes > bytesMax ? failure(found, next) : warning(found, next)
}

/** A restore sets them, and a copy of the primary has them too. */
export const recoveryTarget: Check = {
  name: 'recovery-target',
  as: 'login',
  needs: 'select on pg_settings',
  isOfPrimary: true,
  run: async (db) => {
    const names = await selectRecoveryTargets(db)
    if (names.length === 0) return [ok('No recovery target is set.')]
    const found =
      `The primary has ${names.join(', ')}: ` +
      'a standby made from it stops at that target and becomes a second primary.'
    const resets = names.map((name) => `alter system reset ${name}`).join('; ')
    return [failure(found, `Run as a superuser, then restart PostgreSQL: ${resets}`)]
  },
}
