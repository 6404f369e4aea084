/** The audit log in the order of its commits, for programs that follow it. */

import { sql } from 'kysely'

import type { Read, Snapshot } from '#storage/statements/access'
import { isOwn, nil } from '#storage/statements/keyset'

import { auditColumns, type AuditRow, presentEntry, type StoredAuditEntry } from './audit.ts'

/** A place in the log: the server of an entry, the id of its transaction, and its own UUID. */
export interface AuditPosition {
  readonly server: string
  readonly xid: number
  readonly id: string
}

/** Before the first entry. */
export const logStart: AuditPosition = { server: '', xid: -1, id: nil }

/** The servers that wrote entries, in the order of time, and the one that runs. */
export interface AuditServers {
  readonly names: readonly string[]
  readonly current: string
  /** All transactions with a lower id have ended. Those of other servers have ended, too. */
  readonly horizon: number
}

/** Skips from server to server in the index, so it does not depend on the number of entries. */
export async function selectAuditServers(snapshot: Snapshot): Promise<AuditServers> {
  const own = isOwn(snapshot, 'audit_entries')
  const { rows } = await sql<{ name: string | null; current: string; horizon: number }>`
    with recursive servers (name) as (
      (select written_on from audit_entries where ${own} order by written_on limit 1)
      union all
      select (
        select written_on from audit_entries where ${own} and written_on > servers.name
        order by written_on limit 1
      ) from servers where name is not null
    )
    select servers.name, present.current, present.horizon
    from (
      select audit_server() as current,
        pg_snapshot_xmin(pg_current_snapshot())::text::bigint as horizon
    ) as present
    left join servers on servers.name is not null
    left join lateral (
      select id from audit_entries where ${own} and written_on = servers.name
      order by written_xid, id limit 1
    ) as oldest on true
    order by servers.name = present.current, oldest.id`.execute(snapshot.db)
  const [{ current, horizon } = { current: '', horizon: 0 }] = rows
  return { names: rows.flatMap(({ name }) => name ?? []), current, horizon }
}

/** The entries of one server that are read. */
interface ServerRange {
  readonly server: string
  readonly after: Pick<AuditPosition, 'xid' | 'id'>
  /** Excluded. */
  readonly before: number
}

interface AuditFeedPage {
  readonly after: AuditPosition
  readonly limit: number
}

interface AuditFeed {
  readonly items: StoredAuditEntry[]
  /** The position of the last item; null without items. */
  readonly last: AuditPosition | null
  readonly hasMore: boolean
}

/**
 * Reads the entries after a position. An entry of the running server is read only when every
 * transaction with a lower id has ended, so that nothing can appear before the last one read.
 */
export async function selectAuditFeed(
  read: Read,
  servers: AuditServers,
  { after, limit }: AuditFeedPage,
): Promise<AuditFeed> {
  const ranges = rangesAfter(servers, after)
  const columns = sql.join(
    [...auditColumns, 'written_on', 'written_xid'].map((name) => sql.ref(name)),
  )
  const { rows } = await sql<AuditRow & { written_on: string; written_xid: number }>`
    select item.* from unnest(
      ${ranges.map(({ server }) => server)}::text[],
      ${ranges.map((range) => range.after.xid)}::bigint[],
      ${ranges.map((range) => range.after.id)}::uuid[],
      ${ranges.map(({ before }) => before)}::bigint[]
    ) with ordinality as range (server, xid, id, before, place)
    cross join lateral (
      select ${columns} from audit_entries
      where ${isOwn(read, 'audit_entries')} and written_on = range.server
        and (written_xid, audit_entries.id) > (range.xid, range.id) and written_xid < range.before
      order by written_xid, audit_entries.id limit ${limit + 1}
    ) as item
    order by range.place, item.written_xid, item.id limit ${limit + 1}`.execute(read.db)
  const page = rows.slice(0, limit)
  const end = page.at(-1)
  const last = end ? { server: end.written_on, xid: end.written_xid, id: end.id } : null
  const items = page.map(({ written_on: _server, written_xid: _xid, ...row }) => presentEntry(row))
  return { items, last, hasMore: rows.length > limit }
}

/** The rest of the server of the position, and all of the later ones. */
function rangesAfter(servers: AuditServers, after: AuditPosition): ServerRange[] {
  const { current, horizon } = servers
  return serversFrom(servers, after.server).map((server) => ({
    server,
    after: server === after.server ? after : logStart,
    before: server === current ? horizon : Number.MAX_SAFE_INTEGER,
  }))
}

/** Retention may have deleted all entries of a server. Its later timelines have greater names. */
function serversFrom({ names }: AuditServers, name: string): readonly string[] {
  if (names.includes(name)) return names.slice(names.indexOf(name))
  if (name === logStart.server) return names
  return names.filter((each) => systemOf(each) === systemOf(name) && each > name)
}

const systemOf = (server: string) => server.split('.')[0]

/** Whether a position can be found: its server wrote entries, or is the one that runs. */
export const isKnownServer = ({ names, current }: AuditServers, { server }: AuditPosition) =>
  server === logStart.server || names.includes(server) || systemOf(server) === systemOf(current)
