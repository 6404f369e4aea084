import { createHash } from 'node:crypto'

/**
 * Which life of the database a number belongs to, as a workspace shows it. A restore and a failover
 * begin a new one, because numbers may then come back with other content. The workspace is in it,
 * so that no ETag of one says anything in another.
 */
export function epochOf(life: string, workspaceId: string): string {
  return createHash('sha256').update(`${life} ${workspaceId}`).digest('hex').slice(0, 12)
}
