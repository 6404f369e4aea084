import { migrate } from '#storage/engine/migrate'

import { readConfig } from './config.ts'
import { describeError } from './operator-error.ts'

try {
  const done = await migrate(readConfig().DATABASE_URL)
  process.stderr.write(
    done.length > 0 ? `Migrated: ${done.join(', ')}.\n` : 'The database is up to date.\n',
  )
} catch (error) {
  process.stderr.write(`${describeError(error, 'DATABASE_URL')}\n`)
  process.exitCode = 1
}
