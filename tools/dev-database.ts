import { OperatorError } from '@muster/api/operator-error'
import { migrate } from '@muster/api/seed'
import { Client } from 'pg'

interface DevDatabase {
  readonly server: string
  readonly name: string
  /** Whether to drop the database first. All data in it is lost. */
  readonly isRecreated: boolean
}

/**
 * Creates the database of `npm run dev` if it is missing and migrates it. A database of other
 * migrations is dropped only when `isRecreated` is set.
 */
export async function openDevDatabase({ server, name, isRecreated }: DevDatabase) {
  const client = new Client({ connectionString: server })
  await client.connect()
  try {
    if (isRecreated) await client.query(`drop database if exists ${name} with (force)`)
    const { rows } = await client.query('select 1 from pg_database where datname = $1', [name])
    if (rows.length === 0) await client.query(`create database ${name}`)
  } finally {
    await client.end()
  }
  const url = Object.assign(new URL(server), { pathname: `/${name}` }).href
  try {
    return { url, migrated: await migrate(url) }
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'SchemaMismatchError') throw error
    const [reason] = error.message.split('. ')
    throw new OperatorError(
      `The development database ${name} has another schema. ${reason}. To drop it with all its ` +
        'data and create it again, run: npm run dev -- --recreate',
      { cause: error },
    )
  }
}
