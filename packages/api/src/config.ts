import { limits } from '@muster/contract'
import envSchema from 'env-schema'
import { type Static, Type } from 'typebox'

import { addFormats, configError } from './config-errors.ts'

const perMinute = (count: number) =>
  Type.Integer({ default: count, minimum: 1, maximum: 1_000_000_000 })

/** An origin as a browser sends it: no path, not even a slash, and no wildcard. */
const origin = 'https?://[a-z0-9.-]{1,253}(:[0-9]{1,5})?'
const origins = `^(${origin}(,${origin}){0,99})?$`

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

const databaseUrl = {
  format: 'postgres-url',
  description: 'a URL of PostgreSQL',
  examples: ['postgres://postgres@127.0.0.1:5432/muster'],
}

const Config = Type.Object({
  /**
   * The owner's. With only this given, the service steps down to its own role on every connection.
   * A service that has a URL of its own can do without.
   */
  DATABASE_URL: Type.String(databaseUrl),
  /** The service's, when owner and service are to have credentials of their own. */
  DATABASE_SERVICE_URL: Type.Optional(Type.String(databaseUrl)),
  DATABASE_POOL_MAX: Type.Integer({ default: 10, minimum: 2, maximum: 1000 }),
  /** How often facts that turn true with time are looked for. */
  SWEEP_SECONDS: Type.Integer({ default: 60, minimum: 1, maximum: 3600 }),
  /** How many requests a minute are answered, of one key and of all keys of a workspace. */
  RATE_LIMIT_KEY: perMinute(limits.perMinute.key),
  RATE_LIMIT_WORKSPACE: perMinute(limits.perMinute.workspace),
  /** How many failed authentications a minute are heard from one address. */
  RATE_LIMIT_FAILURES: perMinute(limits.perMinute.failures),
  /** Where processes count these together. */
  REDIS_URL: Type.Optional(
    Type.String({
      format: 'redis-url',
      description: 'a URL of Redis',
      examples: ['redis://127.0.0.1:6379'],
    }),
  ),
  REDIS_PREFIX: Type.String({ default: 'muster', minLength: 1, maxLength: 100 }),
  /** The proxies whose X-Forwarded headers are trusted: addresses and CIDRs, with commas. */
  TRUSTED_PROXIES: Type.String({
    default: '',
    format: 'networks',
    description: 'IP addresses and CIDRs with commas between them',
    examples: ['127.0.0.1,10.0.0.0/8'],
  }),
  /** For how long a process that was told to end is open to those who have not noticed. */
  DRAIN_SECONDS: Type.Number({ default: 1, minimum: 0, maximum: 8 }),
  HOST: Type.String({ default: '127.0.0.1' }),
  PORT: Type.Integer({ default: 8080, minimum: 0, maximum: 65_535 }),
  /** The port of `/metrics`, on the same host. Without it there is none. */
  METRICS_PORT: Type.Optional(Type.Integer({ minimum: 0, maximum: 65_535 })),
  LOG_LEVEL: Type.Enum([...logLevels], { default: 'info' }),
  /** Whose pages may call the API from a browser: origins, with commas between them. */
  CORS_ORIGINS: Type.String({
    default: '',
    pattern: origins,
    description: 'origins without a path, with commas between them',
    examples: ['https://dash.example.com'],
  }),
  /** Where to report a weakness: `mailto:` or `https:`. */
  SECURITY_CONTACT: Type.Optional(
    Type.String({
      pattern: '^(mailto:|https:)[^\\s]{1,300}$',
      description: 'a mailto: or https: URL',
      examples: ['mailto:security@example.com'],
    }),
  ),
})

export type Config = Static<typeof Config>

/** The environment, parsed once. Nothing else reads process.env. */
export function readConfig(): Config {
  const { DATABASE_URL = process.env['DATABASE_SERVICE_URL'] } = process.env
  try {
    const ajv = { customOptions: addFormats }
    return envSchema<Config>({ schema: Config, data: { DATABASE_URL }, ajv })
  } catch (error) {
    throw configError(error, Config.properties)
  }
}
