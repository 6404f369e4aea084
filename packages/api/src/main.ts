import closeWithGrace from 'close-with-grace'

import { readConfig } from './config.ts'
import { startService } from './service.ts'

const config = readConfig()
const service = await startService({
  url: config.DATABASE_SERVICE_URL ?? config.DATABASE_URL,
  poolMax: config.DATABASE_POOL_MAX,
  logLevel: config.LOG_LEVEL,
  sweepSeconds: config.SWEEP_SECONDS,
})
closeWithGrace({ delay: 10_000 }, async ({ err }) => {
  if (err) service.app.log.fatal({ err }, 'closing after an error')
  await service[Symbol.asyncDispose]()
})
await service.app.listen({ host: config.HOST, port: config.PORT })
