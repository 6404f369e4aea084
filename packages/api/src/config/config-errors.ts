import { isIP } from 'node:net'

import type { Ajv, ErrorObject } from 'ajv'

import { isDestination } from '#egress/destinations'
import { parseDatabaseUrl } from '#storage/connection/database-url'

import { OperatorError } from './operator-error.ts'

const isUrl = (prefix: RegExp) => (text: string) => prefix.test(text) && URL.canParse(text)

const isDatabaseUrl = (text: string) =>
  /^(postgres(ql)?:\/\/|socket:)/.test(text) && parseDatabaseUrl(text) !== null

/** Adds the formats of settings that a regular expression cannot describe. */
export function addFormats(ajv: Ajv): Ajv {
  return ajv
    .addFormat('postgres-url', isDatabaseUrl)
    .addFormat('redis-url', isUrl(/^rediss?:\/\//))
    .addFormat('networks', (text) => text.trim() === '' || text.split(',').every(isNetwork))
    .addFormat('destinations', (text) => text.trim() === '' || text.split(',').every(isHost))
    .addFormat('secret-keys', (text) => text.split(',').every(isSecretKey))
}

const isHost = (text: string) => isDestination(text.trim())

/** Base64 of exactly 32 bytes. */
const isSecretKey = (text: string) => /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/.test(text.trim())

/** The proxies that Fastify accepts. It refuses a prefix of 0 bits, which would trust everyone. */
function isNetwork(text: string): boolean {
  const [address = '', prefix = '1', ...rest] = text.trim().split('/')
  const version = isIP(address)
  const bits = /^\d{1,3}$/.test(prefix) ? Number(prefix) : 0
  return rest.length === 0 && bits >= 1 && bits <= (version === 0 ? 0 : version === 4 ? 32 : 128)
}

/** The parts of a JSON schema that describe the values of a setting. */
export interface SettingSchema {
  readonly type?: string
  readonly description?: string
  readonly examples?: readonly (string | number)[]
  readonly default?: string | number
  readonly enum?: readonly unknown[]
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
}

/** One line with each invalid setting, its valid values and an example, never its value. */
export function configError(
  error: unknown,
  settings: Readonly<Record<string, SettingSchema>>,
): OperatorError {
  const errors = error instanceof Error && 'errors' in error ? error.errors : []
  // The cast holds because env-schema passes on the errors of Ajv.
  const names = (errors as ErrorObject[]).map(nameOf)
  const lines = [...new Set(names)].map((name) => lineOf(name, settings[name] ?? {}))
  return new OperatorError(lines.join('; '), { cause: error })
}

const nameOf = ({ instancePath, params }: ErrorObject) =>
  instancePath === '' ? String(params['missingProperty']) : instancePath.slice(1)

function lineOf(name: string, setting: SettingSchema): string {
  const example = setting.examples?.[0] ?? setting.default
  return `${name} must be ${valuesOf(setting)}, for example ${name}=${String(example)}`
}

/** The valid values of a setting. */
export function valuesOf(setting: SettingSchema): string {
  if (setting.description) return setting.description
  if (setting.enum) return `one of ${setting.enum.join(', ')}`
  const { minimum, maximum, minLength = 0, maxLength } = setting
  if (setting.type === 'integer') return `a whole number from ${minimum} to ${maximum}`
  if (setting.type === 'number') return `a number from ${minimum} to ${maximum}`
  return `text of ${minLength} to ${maxLength} characters`
}
