import { limits } from '@muster/contract'
import envSchema from 'env-schema'
import { type Static, Type } from 'typebox'

import { addFormats, configError, type SettingSchema, valuesOf } from './config-errors.ts'

const perMinute = (count: number) =>
  Type.Integer({ default: count, minimum: 1, maximum: 1_000_000_000 })

/** An origin as a browser sends it: no path, no trailing slash, no wildcard. */
const origin = 'https?://[a-z0-9.-]{1,253}(:[0-9]{1,5})?'
const origins = `^(${origin}(,${origin}){0,99})?$`

/** TLS is required beyond this machine: browsers keep the session cookie only then. */
const publicUrl = '^(https://[a-z0-9.-]{1,253}|http://(localhost|127[.]0[.]0[.]1))(:[0-9]{1,5})?$'

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

const databaseUrl = {
  format: 'postgres-url',
  description:
    'a PostgreSQL URL of one or several hosts, with target_session_attrs any, read-write or primary',
  examples: ['postgres://postgres@127.0.0.1:5432/muster'],
}

const Config = Type.Object({
  /**
   * The URL of the database owner. Without DATABASE_SERVICE_URL the service uses it too, and
   * switches to its own role on every connection.
   */
  DATABASE_URL: Type.String(databaseUrl),
  /** The URL of the service, when owner and service have separate credentials. */
  DATABASE_SERVICE_URL: Type.Optional(
    Type.String({
      ...databaseUrl,
      examples: ['postgres://muster_service:secret@127.0.0.1:5432/muster'],
    }),
  ),
  DATABASE_POOL_MAX: Type.Integer({ default: 10, minimum: 2, maximum: 1000 }),
  /** Whether this process does background work. At least one process must. */
  WORKERS: Type.Enum(['on', 'off'], { default: 'on' }),
  /** How often a process looks for background work that is due. */
  SWEEP_SECONDS: Type.Integer({ default: 60, minimum: 1, maximum: 3600 }),
  /** The rate limits per minute, of one key and of all keys of a workspace. */
  RATE_LIMIT_KEY: perMinute(limits.perMinute.key),
  RATE_LIMIT_WORKSPACE: perMinute(limits.perMinute.workspace),
  /**
   * The maximum number of failed authentications per minute, of one IP address. The limits of
   * sign-in are multiples of it.
   */
  RATE_LIMIT_FAILURES: perMinute(limits.perMinute.failures),
  /** The Redis that all processes share for rate limiting. */
  REDIS_URL: Type.Optional(
    Type.String({
      format: 'redis-url',
      description: 'a Redis URL',
      examples: ['redis://127.0.0.1:6379'],
    }),
  ),
  REDIS_PREFIX: Type.String({ default: 'muster', minLength: 1, maxLength: 100 }),
  /** The memory for pages that were read before and for complete lists, in MiB. */
  RESPONSE_MEMORY_MIB: Type.Integer({ default: 128, minimum: 0, maximum: 65_536 }),
  /** The proxies whose X-Forwarded headers are trusted. */
  TRUSTED_PROXIES: Type.String({
    default: '',
    format: 'networks',
    description: 'a comma-separated list of IP addresses and CIDRs',
    examples: ['127.0.0.1,10.0.0.0/8'],
  }),
  /** The destinations inside the operator's network that workspaces may configure. */
  EGRESS_ALLOW: Type.String({
    default: '',
    format: 'destinations',
    description: 'a comma-separated list of IP addresses, CIDRs and host names',
    examples: ['sso.corp.example,10.20.0.0/16'],
  }),
  /** The keys that encrypt stored secrets, newest first. */
  SECRETS_KEY: Type.Optional(
    Type.String({
      format: 'secret-keys',
      description: 'a comma-separated list of keys of 32 bytes in base64, newest first',
      examples: [`${'0'.repeat(43)}=`],
    }),
  ),
  /** How long a process that shuts down accepts requests, until the load balancer notices. */
  DRAIN_SECONDS: Type.Number({ default: 1, minimum: 0, maximum: 8 }),
  HOST: Type.String({ default: '127.0.0.1', description: 'an IP address or a host name' }),
  PORT: Type.Integer({ default: 8080, minimum: 0, maximum: 65_535 }),
  /** The origin at which browsers reach the service: of links, redirects and passkeys. */
  PUBLIC_URL: Type.Optional(
    Type.String({
      pattern: publicUrl,
      description: 'an https: origin without a path, or http://localhost with a port',
      examples: ['https://muster.example.com'],
    }),
  ),
  /** The port of `/metrics`, on the same host. Without it metrics are not served. */
  METRICS_PORT: Type.Optional(Type.Integer({ minimum: 0, maximum: 65_535, examples: [9464] })),
  LOG_LEVEL: Type.Enum([...logLevels], { default: 'info' }),
  /** The origins whose pages may call the API from a browser (CORS). */
  CORS_ORIGINS: Type.String({
    default: '',
    pattern: origins,
    description: 'a comma-separated list of origins without a path',
    examples: ['https://dash.example.com'],
  }),
  /** The contact for vulnerability reports in security.txt. */
  SECURITY_CONTACT: Type.Optional(
    Type.String({
      pattern: '^(mailto:|https:)[^\\s]{1,300}$',
      description: 'a mailto: or https: URL',
      examples: ['mailto:security@example.com'],
    }),
  ),
})

export type Config = Static<typeof Config>

/** One setting, for the documentation. */
export interface Setting {
  readonly name: keyof Config
  readonly isRequired: boolean
  /** The default, or null. */
  readonly fallback: string | null
  readonly values: string
  readonly example: string
}

/** Every setting, in the order of the schema. */
export const settings: readonly Setting[] = Object.entries(Config.properties).map(
  ([name, schema]) => {
    const described: SettingSchema = schema
    const { default: given, examples } = described
    const required: readonly string[] = Config.required
    return {
      // The cast holds because these are the properties of Config.
      name: name as keyof Config,
      isRequired: given === undefined && required.includes(name),
      fallback: given === undefined ? null : String(given),
      values: valuesOf(described),
      example: String(examples?.[0] ?? given),
    }
  },
)

/** Parses and validates the environment. No other module reads it. */
export function readConfig(): Config {
  const { DATABASE_URL = process.env['DATABASE_SERVICE_URL'] } = process.env
  try {
    const ajv = { customOptions: addFormats }
    return envSchema<Config>({ schema: Config, data: { DATABASE_URL }, ajv })
  } catch (error) {
    throw configError(error, Config.properties)
  }
}

/** The public origin, in the form in which browsers send it. */
export const publicUrlOf = ({ PUBLIC_URL, PORT }: Config) =>
  new URL(PUBLIC_URL ?? `http://localhost:${PORT}`).origin

/** Splits a comma-separated list. */
export const splitList = (text: string) =>
  text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
