import type { Caller } from '#domain/engine/caller'
import { Failure } from '#domain/engine/failure'
import { type FeedPage, type FeedRequest, readAsOf } from '#domain/engine/listing'
import { readParts, writeParts } from '#domain/engine/position-text'
import type { StoredAuditEntry } from '#storage/nouns/audit'
import {
  type AuditPosition,
  type AuditServers,
  isKnownServer,
  logStart,
  selectAuditFeed,
  selectAuditServers,
} from '#storage/nouns/audit-feed'
import { uuidOf } from '#storage/values/id'

/** The entries after a position, in the order of their commits. */
export function followAudit(
  caller: Caller<'workspace.read'>,
  { after, limit }: FeedRequest,
): Promise<FeedPage<StoredAuditEntry>> {
  const { workspaceId } = caller
  const given = after === 'now' || after === 'beginning' ? null : readPosition(workspaceId, after)
  return caller.database.snapshot(caller, async (snapshot) => {
    const [servers, asOf] = await Promise.all([selectAuditServers(snapshot), readAsOf(snapshot)])
    const start = given ?? (after === 'now' ? endOf(servers) : logStart)
    if (!isKnownServer(servers, start)) {
      const detail = 'The position is of another database. Follow again with `after=beginning`.'
      throw new Failure('position_lost', detail)
    }
    const { items, last, hasMore } = await selectAuditFeed(snapshot, servers, {
      after: start,
      limit,
    })
    const position = writePosition(workspaceId, last ?? start)
    return { items, position, hasMore, asOf }
  })
}

const greatestId = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** After every entry that can be read now. Those of transactions that still run come later. */
const endOf = ({ current, horizon }: AuditServers): AuditPosition => ({
  server: current,
  xid: horizon - 1,
  id: greatestId,
})

/**
 * A position names the workspace, so that a program that follows several workspaces notices when
 * it confuses them.
 */
const writePosition = (workspaceId: string, { server, xid, id }: AuditPosition) =>
  writeParts([uuidOf(workspaceId), server, xid, id])

const uuidPattern = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/
const serverPattern = /^(?:\d{1,20}\.[\dA-F]{8})?$/

function readPosition(workspaceId: string, text: string): AuditPosition {
  const [workspace, server, xid, id] = readParts(text)
  const isPosition =
    workspace === uuidOf(workspaceId) &&
    typeof server === 'string' &&
    serverPattern.test(server) &&
    Number.isSafeInteger(xid) &&
    typeof id === 'string' &&
    uuidPattern.test(id)
  if (isPosition) return { server, xid: Number(xid), id }
  const detail = '`after` must be a `position` of this workspace, `beginning` or `now`.'
  throw new Failure('invalid_parameter', detail)
}
