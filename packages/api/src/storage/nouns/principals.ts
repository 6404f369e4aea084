import type { Collection, KeyStatus } from '@muster/contract'
import { type Kysely, sql } from 'kysely'

import { quotasOf, sequenceNumbers } from '#storage/numbers/counters'
import { presentTerms, type StoredTerms } from '#storage/numbers/terms'
import type { DB } from '#storage/schema/tables'
import { encodeId, encodeOptional, uuidOf } from '#storage/values/id'

import { type KeyRow, presentKey } from './keys.ts'

/** A credential to look up: its workspace, and the SHA-256 of a key or a session. */
export interface CredentialHash {
  readonly workspaceId: string
  readonly hash: Buffer
  readonly isSession: boolean
  /** Whether to return what `whoami` shows. */
  readonly isDetailed?: boolean
}

interface PrincipalRow {
  place: number
  key_id: string | null
  lineage: string | null
  scopes: string[] | null
  status: KeyStatus
  allowed_cidrs: string[]
  expires_at: string | null
  rotated_at: string | null
  is_use_due: boolean
  is_refusal_due: boolean
  is_suspended: boolean
  epoch: string
  server: string
  counters: CountersRow
  user_id: string | null
  person_status: string | null
  roles: string[] | null
  session_id: string | null
  session_method: string
  authenticated_at: string
  is_recent: boolean
  details: DetailsRow | null
}

/** As JSON. */
type CountersRow = Readonly<Record<`${Collection}_seq`, number> & Record<string, unknown>> &
  StoredTerms & { readonly cursor_secret: string }

/** As JSON, in which times have another format. */
interface DetailsRow {
  key: KeyRow | null
  workspace: { name: string; time_zone: string }
  now: string
}

export type StoredPrincipal = ReturnType<typeof presentPrincipal>

/** The authentication query, for a batch of credentials: the principal of each, or null. */
export async function selectPrincipals(
  db: Kysely<DB>,
  credentials: readonly CredentialHash[],
): Promise<(StoredPrincipal | null)[]> {
  const workspaces = credentials.map(({ workspaceId }) => uuidOf(workspaceId))
  const hashes = credentials.map(({ hash }) => hash)
  const areSessions = credentials.map(({ isSession }) => isSession)
  const areDetailed = credentials.map(({ isDetailed = false }) => isDetailed)
  const { rows } = await sql<PrincipalRow>`
    select place, key_id, lineage, scopes, status, allowed_cidrs, expires_at, rotated_at,
      is_use_due, is_refusal_due, is_suspended, epoch, server, counters, user_id, person_status,
      roles, session_id, session_method, authenticated_at, is_recent, details
    from authenticate_credentials(
      ${workspaces}, ${hashes}, ${areSessions}, ${areDetailed}
    )`.execute(db)
  const byPlace = new Map(rows.map((row) => [row.place, row]))
  return workspaces.map((_, index) => {
    const row = byPlace.get(index + 1)
    return row ? presentPrincipal(row) : null
  })
}

function presentPrincipal(row: PrincipalRow) {
  return {
    /** Null for a session of a person. */
    keyId: encodeOptional('key', row.key_id),
    lineage: encodeOptional('key', row.lineage),
    scopes: row.scopes ?? [],
    status: row.status,
    allowedCidrs: row.allowed_cidrs,
    expiresAt: row.expires_at,
    rotatedAt: row.rotated_at,
    isUseDue: row.is_use_due,
    isRefusalDue: row.is_refusal_due,
    isSuspended: row.is_suspended,
    ...presentTerms({ ...row.counters, epoch: row.epoch, server: row.server }),
    numbers: sequenceNumbers(row.counters),
    cursorSecret: row.counters.cursor_secret,
    /** The person of the session or of the personal key; null for a service key. */
    person: row.user_id === null ? null : presentHolder(row, row.user_id),
    session: row.session_id === null ? null : presentSession(row, row.session_id),
    details: row.details === null ? null : presentDetails(row.details, row.counters),
  }
}

function presentDetails({ key, ...rest }: DetailsRow, counters: PrincipalRow['counters']) {
  return {
    key: key === null ? null : presentKey(withInstants(key)),
    workspace: rest.workspace,
    now: new Date(rest.now).toISOString(),
    ...quotasOf(counters),
  }
}

const timeColumns = [
  'expires_at',
  'revoked_at',
  'rotated_at',
  'last_used_at',
  'refused_at',
  'created_at',
  'updated_at',
] as const satisfies (keyof KeyRow)[]

function withInstants(row: KeyRow): KeyRow {
  const times = timeColumns.map((name) => {
    const time = row[name]
    return [name, time === null ? null : new Date(time).toISOString()]
  })
  return { ...row, ...Object.fromEntries(times) }
}

const presentHolder = ({ person_status, roles }: PrincipalRow, userId: string) => ({
  id: encodeId('usr', userId),
  isActive: person_status === 'active',
  roles: roles ?? [],
})

const presentSession = (row: PrincipalRow, id: string) => ({
  id: encodeId('ses', id),
  method: row.session_method,
  authenticatedAt: row.authenticated_at,
  /** Whether it was authenticated within the last 10 minutes. */
  isRecent: row.is_recent,
})
