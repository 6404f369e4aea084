import { selectSettings } from '#storage/inspect/server'
import { selectTableStates, type TableState } from '#storage/inspect/table-states'

import {
  type Check,
  count,
  type Finding,
  formatBytes,
  formatDuration,
  ok,
  warning,
} from './finding.ts'

const largest = 5
/** Autovacuum starts at a fifth by default. Twice as many dead rows mean that it does not keep up. */
const deadRowsMax = 10_000
const deadShareMax = 0.4

const isNeglected = ({ rows, deadRows }: TableState) =>
  deadRows > deadRowsMax && deadRows > deadShareMax * rows

/** The largest tables, and others with many dead rows. */
export const tables: Check = {
  name: 'tables',
  as: 'login',
  needs: 'select on pg_stat_user_tables',
  run: async (db) => {
    const sizes = await selectTableStates(db)
    const settings = await selectSettings(db, ['autovacuum'])
    const shown = sizes.filter((table, rank) => rank < largest || isNeglected(table))
    const findings = shown.map(judgeTable)
    if (settings.get('autovacuum') === 'off') {
      const next = 'Set autovacuum = on in postgresql.conf and reload PostgreSQL.'
      findings.push(warning('autovacuum is off: dead rows fill the disk.', next))
    }
    return findings
  },
}

function judgeTable(table: TableState): Finding {
  const { name, bytes, rows, deadRows, growth, since, vacuumedSecondsAgo } = table
  const vacuumed =
    vacuumedSecondsAgo === null
      ? 'never vacuumed'
      : `vacuumed ${formatDuration(vacuumedSecondsAgo)} ago`
  const sign = growth < 0 ? '−' : '+'
  const period = since === null ? '' : ` since ${since.slice(0, 10)}`
  const grown = `${sign}${count(Math.abs(growth), 'row')}${period}`
  const sizes = `${formatBytes(bytes)}, ${count(rows, 'row')} (${grown})`
  const found = `${name}: ${sizes}, ${deadRows} dead, ${vacuumed}.`
  if (!isNeglected(table)) return ok(found)
  const next =
    `Run as muster_owner: vacuum (analyze) muster.${name}. ` +
    'If it repeats, look for long transactions in pg_stat_activity.'
  return warning(found, next)
}
