import { migrate } from '#storage/migrate'

import { readConfig } from './config.ts'

const done = await migrate(readConfig().DATABASE_URL)
process.stderr.write(
  done.length > 0 ? `Migrated: ${done.join(', ')}.\n` : 'The database is up to date.\n',
)
