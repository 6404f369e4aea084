import { DatabaseError } from 'pg'

import { meaningOf } from '#storage/values/sqlstate'
import { SchemaMismatchError, StorageError } from '#storage/values/storage-error'

import { HostsError } from './hosts-connection.ts'
import { SessionSettingsError } from './session-settings.ts'

const guide = 'docs/guides/self-host.md'

/** Remedies by SQLSTATE, appended to the message of PostgreSQL. */
const remedies: Readonly<Record<string, (setting: string) => string>> = {
  // The role of the service does not exist, or the URL has invalid options.
  '22023': (setting) => `Run: npm run migrate, or correct the options in ${setting}`,
  '28000': (setting) => `Check the user in ${setting}, and pg_hba.conf on the server`,
  '28P01': (setting) => `Check the user and the password in ${setting}`,
  '3D000': (setting) => `Create the database, or correct its name in ${setting}`,
  '42501': (setting) => `The user in ${setting} lacks a privilege: see ${guide}`,
}

/** Whether to retry: the server is starting, has no free connection or is unreachable. */
export function isTransient(error: StorageError): boolean {
  const origin = originOf(error)
  if (isRefusedByPooler(origin)) return false
  if (origin instanceof DatabaseError) return meaningOf(origin.code ?? null) === 'unavailable'
  return error.meaning === 'unavailable' && !isPasswordMissing(origin)
}

/**
 * One line with the cause and the remedy; null if an operator cannot fix the error. `setting` is
 * the name of the environment variable with the URL.
 */
export function databaseAdvice(error: unknown, setting: string): string | null {
  if (error instanceof SchemaMismatchError) return error.message
  if (error instanceof SessionSettingsError) return `${error.message} (${setting})`
  const origin = originOf(error)
  if (isPasswordMissing(origin)) {
    return `PostgreSQL requires a password. Check the user and the password in ${setting}`
  }
  if (isOfConnection(origin)) {
    const reason = reasonOf(origin)
    return `The database cannot be reached (${reason}). Check the host and port in ${setting}`
  }
  if (!(origin instanceof DatabaseError)) return null
  if (isRefusedByPooler(origin)) {
    return `The pooler in ${setting}: ${origin.message}. See PgBouncer in ${guide}`
  }
  const remedy = remedies[origin.code ?? '']
  if (remedy) return `PostgreSQL: ${origin.message}. ${remedy(setting)}`
  const isTemporary = meaningOf(origin.code ?? null) === 'unavailable'
  return isTemporary ? `PostgreSQL: ${origin.message}. Try again later` : null
}

function originOf(error: unknown): unknown {
  return error instanceof StorageError ? originOf(error.cause) : error
}

/** Error of the driver: the server requires a password, and the URL has none. */
const isPasswordMissing = (error: unknown) =>
  error instanceof Error && error.message.startsWith('SASL:')

/** PgBouncer does not support startup options, and is not configured to ignore them. */
const isRefusedByPooler = (error: unknown) =>
  error instanceof Error && error.message.startsWith('unsupported startup parameter')

const connectionCodes =
  /^(ECONN\w+|E\w+UNREACH|ETIMEDOUT|EPIPE|ENOTFOUND|EAI_\w+|ERR_(TLS|SSL)_\w+|\w*CERT\w*)$/
const connectionMessages = /^(timeout e|Connection terminated|The server does not support SSL)/

/** When several addresses of a host fail, the error has the code of the first. */
const isOfConnection = (error: unknown): error is Error =>
  error instanceof Error &&
  (error instanceof HostsError ||
    ('code' in error && connectionCodes.test(String(error.code))) ||
    connectionMessages.test(error.message))

const reasonOf = (error: Error) => ('code' in error ? String(error.code) : error.message)
