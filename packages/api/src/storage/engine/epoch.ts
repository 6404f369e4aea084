import { createHash } from 'node:crypto'

/**
 * The epoch of sequence numbers, as responses show it. A restore or failover starts a new epoch,
 * because numbers can then recur with other content. The hash includes the workspace, so an ETag of
 * one workspace never matches in another.
 */
export function epochOf(generation: string, workspaceId: string): string {
  return createHash('sha256').update(`${generation} ${workspaceId}`).digest('hex').slice(0, 12)
}
