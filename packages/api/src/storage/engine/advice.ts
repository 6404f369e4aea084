import { DatabaseError } from 'pg'

import { meaningOf } from './sqlstate.ts'
import { StorageError } from './storage-error.ts'

const guide = 'docs/guides/self-host.md'

/** What the operator can do about a SQLSTATE, beside what PostgreSQL says. */
const remedies: Readonly<Record<string, (setting: string) => string>> = {
  // The role of the service does not exist, or the address has bad options.
  '22023': (setting) => `Run: npm run migrate, or correct the options in ${setting}`,
  '28000': (setting) => `Check the user in ${setting}, and pg_hba.conf on the server`,
  '28P01': (setting) => `Check the user and the password in ${setting}`,
  '3D000': (setting) => `Create the database, or correct its name in ${setting}`,
  '42501': (setting) => `The user in ${setting} lacks a right: see ${guide}`,
}

/** Whether the service should wait: the server starts, has no free connection or is away. */
export function isTransient(error: StorageError): boolean {
  const origin = originOf(error)
  if (origin instanceof DatabaseError) return meaningOf(origin.code ?? null) === 'unavailable'
  return error.meaning === 'unavailable' && !isPasswordMissing(origin)
}

/**
 * One line that says why the database cannot be used and what to do. `setting` holds its address.
 * Null when the error is not one of the operator's.
 */
export function databaseAdvice(error: unknown, setting: string): string | null {
  const origin = originOf(error)
  if (isPasswordMissing(origin)) {
    return `PostgreSQL wants a password. Check the user and the password in ${setting}`
  }
  if (isOfConnection(origin)) {
    const reason = reasonOf(origin)
    return `The database cannot be reached (${reason}). Check the host and port in ${setting}`
  }
  if (!(origin instanceof DatabaseError)) return null
  const remedy = remedies[origin.code ?? '']
  if (remedy) return `PostgreSQL: ${origin.message}. ${remedy(setting)}`
  const isTemporary = meaningOf(origin.code ?? null) === 'unavailable'
  return isTemporary ? `PostgreSQL: ${origin.message}. Try again later` : null
}

function originOf(error: unknown): unknown {
  return error instanceof StorageError ? originOf(error.cause) : error
}

/** The driver's own error: the server asks for a password, and the address has none. */
const isPasswordMissing = (error: unknown) =>
  error instanceof Error && error.message.startsWith('SASL:')

const connectionCodes =
  /^(ECONN\w+|E\w+UNREACH|ETIMEDOUT|EPIPE|ENOTFOUND|EAI_\w+|ERR_(TLS|SSL)_\w+|\w*CERT\w*)$/
const connectionMessages = /^(timeout e|Connection terminated|The server does not support SSL)/

/** Several addresses of one host fail as one error, whose code is that of the first. */
const isOfConnection = (error: unknown): error is Error =>
  error instanceof Error &&
  (('code' in error && connectionCodes.test(String(error.code))) ||
    connectionMessages.test(error.message))

const reasonOf = (error: Error) => ('code' in error ? String(error.code) : error.message)
