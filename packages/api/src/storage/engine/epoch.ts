import { createHash } from 'node:crypto'

interface Known {
  readonly generation: string
  readonly epoch: string
}

/** The epochs of workspaces that were asked for. The generation is the same for months. */
const known = new Map<string, Known>()
const knownMax = 10_000

/**
 * The epoch of sequence numbers, as responses show it. A restore or failover starts a new epoch,
 * because numbers can then recur with other content. The hash includes the workspace, so an ETag of
 * one workspace never matches in another.
 */
export function epochOf(generation: string, workspaceId: string): string {
  const last = known.get(workspaceId)
  if (last?.generation === generation) return last.epoch
  const hash = createHash('sha256').update(`${generation} ${workspaceId}`)
  const epoch = hash.digest('hex').slice(0, 12)
  if (known.size >= knownMax) known.clear()
  known.set(workspaceId, { generation, epoch })
  return epoch
}
