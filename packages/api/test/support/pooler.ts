import { databaseServer } from './database.ts'

/**
 * The same database through the pooler in TEST_POOLER, if there is one. A URL of another server, of
 * a proxy or of another login stays as it is.
 */
export function throughPooler(url: string): string {
  const pooler = process.env['TEST_POOLER']
  if (pooler === undefined) return url
  const { username, host, pathname } = new URL(url)
  const isShared = username === databaseServer.username && host === databaseServer.host
  return isShared ? new URL(pathname, pooler).href : url
}
