import './require-node.cjs'
import { setTimeout as sleep } from 'node:timers/promises'

import closeWithGrace from 'close-with-grace'

import { type Config, publicUrlOf, readConfig, splitList } from './config/config.ts'
import { describeError, OperatorError } from './config/operator-error.ts'
import { startService } from './service.ts'

async function run(config: Config): Promise<void> {
  const service = await startService({
    url: config.DATABASE_SERVICE_URL ?? config.DATABASE_URL,
    poolMax: config.DATABASE_POOL_MAX,
    logLevel: config.LOG_LEVEL,
    sweepSeconds: config.WORKERS === 'on' ? config.SWEEP_SECONDS : null,
    rates: {
      key: config.RATE_LIMIT_KEY,
      workspace: config.RATE_LIMIT_WORKSPACE,
      failures: config.RATE_LIMIT_FAILURES,
    },
    redis:
      config.REDIS_URL === undefined
        ? null
        : { url: config.REDIS_URL, prefix: config.REDIS_PREFIX },
    trustedProxies: splitList(config.TRUSTED_PROXIES),
    responseMemoryBytes: config.RESPONSE_MEMORY_MIB * 1024 ** 2,
    corsOrigins: splitList(config.CORS_ORIGINS),
    publicUrl: publicUrlOf(config),
    egress: { allow: splitList(config.EGRESS_ALLOW) },
    secretsKeys: splitList(config.SECRETS_KEY ?? ''),
    securityContact: config.SECURITY_CONTACT ?? null,
  })

  /**
   * Graceful shutdown: `/readyz` fails first, and the service accepts requests for DRAIN_SECONDS,
   * until the load balancer notices. Then requests in progress are finished. After an error there
   * is less time, because the state of the process is unknown.
   */
  const grace = closeWithGrace({ delay: 10_000, logger: false }, async ({ err }) => {
    if (err) service.app.log.fatal({ err }, 'closing after an error')
    service.drain()
    if (!err) await sleep(config.DRAIN_SECONDS * 1000)
    await Promise.race([service[Symbol.asyncDispose](), sleep(err ? 5000 : 10_000)])
  })
  const { HOST: host, PORT: port, METRICS_PORT: metricsPort = null } = config
  try {
    await service.listen({ host, port, metricsPort })
  } catch (cause) {
    grace.uninstall()
    await service[Symbol.asyncDispose]()
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown'
    const ports = metricsPort === null ? '' : ` METRICS_PORT=${metricsPort}`
    const detail = `The service cannot listen on HOST=${host} PORT=${port}${ports}: ${code}`
    throw new OperatorError(detail, { cause })
  }
}

let setting = 'DATABASE_URL'
try {
  const config = readConfig()
  if (config.DATABASE_SERVICE_URL !== undefined) setting = 'DATABASE_SERVICE_URL'
  await run(config)
} catch (error) {
  process.stderr.write(`${describeError(error, setting)}\n`)
  process.exitCode = 1
}
