import { migrate } from '#storage/migration/migrate'

import { readConfig } from './config/config.ts'
import { describeError } from './config/operator-error.ts'

async function run(): Promise<void> {
  const done = await migrate(readConfig().DATABASE_URL)
  process.stderr.write(
    done.length > 0 ? `Migrated: ${done.join(', ')}.\n` : 'The database is up to date.\n',
  )
}

if (process.argv.length > 2) {
  process.stderr.write('error: This command has no arguments and no options.\n')
  process.exitCode = 2
} else {
  await run().catch((error: unknown) => {
    process.stderr.write(`${describeError(error, 'DATABASE_URL')}\n`)
    process.exitCode = 1
  })
}
