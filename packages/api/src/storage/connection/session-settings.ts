import { escapeIdentifier, escapeLiteral } from 'pg'

import { toStorageError } from '#storage/values/storage-error'

import { createPool, type PoolOptions, settingsOf } from './pool.ts'
import { databaseTimeouts } from './timeouts.ts'

/** The connection ignores startup options, as behind a pooler. */
export class SessionSettingsError extends Error {
  override readonly name = 'SessionSettingsError'
}

/**
 * Refuses a connection that lacks settings. PgBouncer ignores startup options, so the login of the
 * service must have them as defaults. The owner must connect directly: migrations hold a lock of
 * their session.
 */
export async function requireSessionSettings(options: PoolOptions): Promise<void> {
  const names = await selectMissingSettings(options)
  if (names.length === 0) return
  const remedy =
    options.role === 'muster_app'
      ? 'Set them for its login: see PgBouncer in docs/guides/self-host.md'
      : 'Connect to PostgreSQL directly'
  throw new SessionSettingsError(`A pooler ignores the settings ${names.join(', ')}. ${remedy}`)
}

/** PostgreSQL compares, in its own format: `2500` is `2500ms`. The change ends with the statement. */
async function selectMissingSettings(options: PoolOptions): Promise<string[]> {
  const pool = createPool({ ...options, max: 1 })
  try {
    const { rows } = await pool.query<{ name: string }>(
      `select name from jsonb_each_text($1) as wanted (name, value)
       where replace(current_setting(name), ' ', '')
         is distinct from replace(set_config(name, value, true), ' ', '')`,
      [JSON.stringify(settingsOf(options))],
    )
    return rows.map(({ name }) => name)
  } catch (error) {
    throw toStorageError(error)
  } finally {
    await pool.end()
  }
}

/** Statements that make the settings of the service the defaults of its login. */
export function sessionSettingsOf(login: string, timeouts = databaseTimeouts): string[] {
  return Object.entries(settingsOf({ role: 'muster_app', timeouts })).map(([name, value]) => {
    const values = value.split(',').map(escapeLiteral).join(', ')
    return `alter role ${escapeIdentifier(login)} set ${name} = ${values};`
  })
}
