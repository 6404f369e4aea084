import envSchema from 'env-schema'
import { type Static, Type } from 'typebox'

const Config = Type.Object({
  /**
   * The owner's. With only this given, the service steps down to its own role on every connection.
   */
  DATABASE_URL: Type.String({ minLength: 1 }),
  /** The service's, when owner and service are to have credentials of their own. */
  DATABASE_SERVICE_URL: Type.Optional(Type.String({ minLength: 1 })),
  DATABASE_POOL_MAX: Type.Integer({ default: 10, minimum: 2, maximum: 1000 }),
  /** How often facts that turn true with time are looked for. */
  SWEEP_SECONDS: Type.Integer({ default: 60, minimum: 1, maximum: 3600 }),
  HOST: Type.String({ default: '127.0.0.1' }),
  PORT: Type.Integer({ default: 8080, minimum: 0, maximum: 65_535 }),
  LOG_LEVEL: Type.String({ default: 'info' }),
})

export type Config = Static<typeof Config>

/** The environment, parsed once. Nothing else reads process.env. */
export function readConfig(): Config {
  try {
    return envSchema<Config>({ schema: Config })
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : 'it is not valid'
    const example = 'DATABASE_URL=postgres://postgres@127.0.0.1:5432/muster'
    throw new Error(`The configuration cannot be used: ${reason}. An example: ${example}`, {
      cause,
    })
  }
}
