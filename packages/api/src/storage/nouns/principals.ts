import type { Collection, KeyStatus } from '@muster/contract'
import { type Kysely, sql } from 'kysely'

import { inOrder } from '#storage/connection/connection'
import { quotasOf, sequenceNumbers } from '#storage/numbers/counters'
import { presentTerms, type StoredTerms } from '#storage/numbers/terms'
import type { DB } from '#storage/schema/tables'
import { type Template, template } from '#storage/statements/template'
import { View } from '#storage/statements/view'
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

/** As JSON, in which times have another format. */
interface PrincipalText {
  key_id: string | null
  lineage: string | null
  scopes: string[] | null
  project_ids: string[] | null
  status: KeyStatus
  allowed_cidrs: string[] | null
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
  /** Only of a session. */
  session?: SessionRow
  details: DetailsRow | null
}

type CountersRow = Readonly<Record<`${Collection}_seq`, number> & Record<string, unknown>> &
  StoredTerms & { readonly cursor_secret: string }

interface SessionRow {
  id: string
  method: string
  authenticated_at: string
  is_recent: boolean
}

interface DetailsRow {
  key: KeyRow | null
  workspace: { name: string; time_zone: string }
  now: string
}

interface Asked {
  readonly workspaces: readonly string[]
  readonly hashes: readonly Buffer[]
  readonly areDetailed: readonly boolean[]
}

interface FoundRow {
  readonly place: number
  readonly principal: string
}

const keysOf = template<Asked, FoundRow>(
  (given) => sql`
    select place, principal
    from authenticate_keys(${given.workspaces}, ${given.hashes}, ${given.areDetailed}, true)`,
)

const sessionsOf = template<Asked, FoundRow>(
  (given) => sql`
    select place, principal
    from authenticate_sessions(${given.workspaces}, ${given.hashes}, ${given.areDetailed}, true)`,
)

/**
 * The authentication query, for a batch of credentials: the principal of each that exists, as text.
 * The text has everything that authentication reads, so equal texts mean the same principal.
 */
export async function selectPrincipals(
  db: Kysely<DB>,
  credentials: readonly CredentialHash[],
): Promise<ReadonlyMap<CredentialHash, string>> {
  const sessions = credentials.filter(({ isSession }) => isSession)
  const keys = credentials.filter(({ isSession }) => !isSession)
  const found = await inOrder([
    selectTexts(db, keysOf, keys),
    selectTexts(db, sessionsOf, sessions),
  ])
  return new Map(found.flat())
}

async function selectTexts(
  db: Kysely<DB>,
  statement: Template<Asked, FoundRow>,
  credentials: readonly CredentialHash[],
): Promise<(readonly [CredentialHash, string])[]> {
  if (credentials.length === 0) return []
  const rows = await statement.execute(
    { db },
    {
      workspaces: credentials.map(({ workspaceId }) => uuidOf(workspaceId)),
      hashes: credentials.map(({ hash }) => hash),
      areDetailed: credentials.map(({ isDetailed = false }) => isDetailed),
    },
  )
  return rows.flatMap(({ place, principal }) => {
    const credential = credentials[place - 1]
    return credential ? [[credential, principal] as const] : []
  })
}

export type StoredPrincipal = ReturnType<typeof readPrincipal>

/** Reads the text of a principal. */
export function readPrincipal(text: string) {
  // The cast holds because the authentication functions write it.
  return presentPrincipal(JSON.parse(text) as PrincipalText)
}

function presentPrincipal(row: PrincipalText) {
  return {
    /** Null for a session of a person. */
    keyId: encodeOptional('key', row.key_id),
    lineage: encodeOptional('key', row.lineage),
    scopes: row.scopes ?? [],
    /** What its key shows; all projects for a session of a person. */
    view: viewOf(row),
    status: row.status,
    allowedCidrs: row.allowed_cidrs ?? [],
    expiresAt: instant(row.expires_at),
    rotatedAt: instant(row.rotated_at),
    isUseDue: row.is_use_due,
    isRefusalDue: row.is_refusal_due,
    isSuspended: row.is_suspended,
    ...presentTerms({ ...row.counters, epoch: row.epoch, server: row.server }),
    /** The last sequence number of the workspace. */
    seq: Number(row.counters['seq']),
    numbers: sequenceNumbers(row.counters),
    cursorSecret: row.counters.cursor_secret,
    /** The person of the session or of the personal key; null for a service key. */
    person: row.user_id === null ? null : presentHolder(row, row.user_id),
    session: row.session === undefined ? null : presentSession(row.session),
    details: row.details === null ? null : presentDetails(row.details, row.counters),
  }
}

function viewOf({ project_ids: uuids }: PrincipalText): View {
  return uuids === null ? View.all : View.listed(uuids.map((uuid) => encodeId('prj', uuid)))
}

function presentDetails({ key, ...rest }: DetailsRow, counters: CountersRow) {
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
  const times = timeColumns.map((name) => [name, instant(row[name])])
  return { ...row, ...Object.fromEntries(times) }
}

const instant = (time: string | null) => (time === null ? null : new Date(time).toISOString())

const presentHolder = ({ person_status, roles }: PrincipalText, userId: string) => ({
  id: encodeId('usr', userId),
  isActive: person_status === 'active',
  roles: roles ?? [],
})

const presentSession = (row: SessionRow) => ({
  id: encodeId('ses', row.id),
  method: row.method,
  authenticatedAt: new Date(row.authenticated_at).toISOString(),
  /** Whether it was authenticated within the last 10 minutes. */
  isRecent: row.is_recent,
})
