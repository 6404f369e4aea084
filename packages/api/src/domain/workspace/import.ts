/** Imports an exported workspace: the same ids, versions, sequence numbers, events and history. */

import { limits, type Quota, type Workspace } from '@muster/contract'

import { issueKey, manageScopes, markRevoked } from '#domain/auth/key'
import { type Caller, administrator } from '#domain/engine/caller'
import { Failure } from '#domain/engine/failure'
import { later } from '#domain/rules/time'
import { insertStates } from '#storage/derived/import-states'
import { insertAcceptances, type StoredAcceptance } from '#storage/nouns/acceptances'
import type { StoredDeparture } from '#storage/nouns/departures'
import type { StoredEvent } from '#storage/nouns/event-rows'
import type {
  ExportedAccess,
  ExportedState,
  ExportedTerm,
  NumberedProject,
} from '#storage/nouns/export'
import { type StoredGroup, upsertGroup } from '#storage/nouns/groups'
import type { IdentityHold } from '#storage/nouns/identity-holds'
import {
  type ExportedAuditEntry,
  type ExportedKey,
  type ExportedMember,
  insertAccess,
  insertAuditEntries,
  insertDepartures,
  insertEvents,
  insertExportedWorkspace,
  insertHolds,
  insertKeys,
  insertMemberships,
  insertTerms,
  updateCounts,
  updateManagers,
  updateNumbers,
} from '#storage/nouns/import'
import { type StoredIssue, upsertIssue } from '#storage/nouns/issues'
import { lockLiveKeys } from '#storage/nouns/keys'
import { type StoredPerson, upsertPerson } from '#storage/nouns/personnel'
import { type StoredProject, upsertProject } from '#storage/nouns/projects'
import { type StoredRisk, upsertRisk } from '#storage/nouns/risks'
import { type StoredTask, upsertTask } from '#storage/nouns/tasks'
import { isKnownTimeZone } from '#storage/nouns/workspace'
import {
  lockWorkspaceNames,
  selectOwnName,
  selectWorkspaceBySlug,
  selectWorkspaceIds,
} from '#storage/nouns/workspaces'
import type { Read, Write } from '#storage/statements/access'
import type { Database } from '#storage/transaction/database'
import { LoadedRows } from '#storage/transaction/loaded-rows'
import { StorageError } from '#storage/values/storage-error'

import { type Exported, type ExportPart, readParts, type Take } from './export.ts'

/** The lines of the parts of an export. */
export interface Lines {
  workspace: Workspace
  terms: ExportedTerm
  personnel: StoredPerson
  groups: StoredGroup
  members: ExportedMember
  binding_holds: IdentityHold
  departures: StoredDeparture
  projects: StoredProject
  reference_numbers: NumberedProject
  risks: StoredRisk
  acceptances: StoredAcceptance
  issues: StoredIssue
  tasks: StoredTask
  keys: ExportedKey
  access: ExportedAccess
  events: StoredEvent
  history: ExportedState
  audit: ExportedAuditEntry
}

type ItemPart = 'personnel' | 'groups' | 'projects' | 'risks' | 'issues' | 'tasks'

/** An export, which can be read several times. */
export interface ExportSource extends Exported {
  readonly workspaceId: string
  /** The lines of a part in order, in batches. */
  readonly batches: <P extends ExportPart>(part: P) => AsyncIterable<Lines[P][]>
  /** Takes the lines that were imported, and returns the parts that differ from the export. */
  readonly comparison: () => { readonly take: Take; readonly differing: () => ExportPart[] }
}

interface ImportOptions {
  readonly isDryRun: boolean
  readonly onPart: (part: ExportPart, items: number) => void
}

/**
 * Imports the rows, reads them back and compares them with the export. Then one write revokes all
 * keys, whose secrets an export does not have, and creates a key for the administrator. It starts a
 * term. All of it is one transaction: a failed import leaves nothing behind.
 */
export async function importWorkspace(
  database: Database,
  source: ExportSource,
  options: ImportOptions,
): Promise<{ readonly name: string; readonly token: string; readonly revoked: number }> {
  const caller = administrator(database, source.workspaceId)
  let name = ''
  return database.write(
    { ...caller, isDryRun: options.isDryRun },
    async (write) => {
      const revoked = await revokeAll(write, caller)
      const { token } = await issueKey(write, caller, {
        name: 'Import',
        scopes: manageScopes,
        expiresAt: later(write.now, 24, 'hours'),
      })
      write.record({ type: 'workspace.imported', subject: source.workspaceId })
      return { name, token, revoked }
    },
    async (read) => {
      name = await insertWorkspaceOf(read, source)
      await load(read, source, options)
      await refuseDifferences(read, source)
    },
  )
}

/** A file that was changed by hand can contradict a constraint. */
function refuseRows(error: unknown, where: string): never {
  const isRefused = error instanceof StorageError && /^2[23]/.test(error.code ?? '')
  if (!isRefused) throw error
  const detail = `Nothing was imported. The database refused a row: ${error.reason}, in ${where}.`
  throw new Failure('unavailable', detail, { cause: error })
}

async function revokeAll(write: Write, caller: Caller<'keys.manage'>): Promise<number> {
  const keys = await lockLiveKeys(write)
  for (const key of keys) markRevoked(write, caller, key)
  return keys.length
}

async function insertWorkspaceOf(read: Read, source: ExportSource): Promise<string> {
  await lockWorkspaceNames(read)
  const { workspaceId, counters, as_of: seq } = source
  if ((await selectOwnName(read)) !== null) {
    const advice = 'Delete it first with `workspace delete`, which exports it.'
    throw new Failure('name_taken', `There is a workspace ${workspaceId}. ${advice}`)
  }
  for await (const [workspace] of source.batches('workspace')) {
    if (workspace === undefined) break
    await refuseTakenName(read, workspace.name)
    await refuseTakenSlug(read, workspace.slug)
    await refuseUnknownZone(read, workspace.time_zone)
    await insertExportedWorkspace(read, workspace, { ...counters, quota: limits.quota, seq })
    return workspace.name
  }
  throw new Failure('unavailable', 'The export has no workspace.')
}

async function refuseTakenName(read: Read, name: string): Promise<void> {
  const [other] = await selectWorkspaceIds(read.db, name)
  if (other === undefined) return
  const advice = 'Rename that one with PATCH /v1/workspace, or delete it.'
  throw new Failure('name_taken', `The workspace ${other} is named ${name}. ${advice}`)
}

async function refuseTakenSlug(read: Read, slug: string | null): Promise<void> {
  const other = slug === null ? null : await selectWorkspaceBySlug(read, slug)
  if (other === null) return
  const advice = 'Change or remove the slug of that one with PATCH /v1/workspace, or delete it.'
  throw new Failure('slug_taken', `The workspace ${other} has the slug ${slug}. ${advice}`)
}

/** PostgreSQL could not compute the date of the workspace. */
async function refuseUnknownZone(read: Read, name: string): Promise<void> {
  if (await isKnownTimeZone(read, name)) return
  const detail = 'workspace.ndjson, line 1: /time_zone must be a time zone that PostgreSQL knows.'
  throw new Failure('unavailable', `Nothing was imported. ${detail}`)
}

type TakeLines<P extends ExportPart> = (lines: Lines[P][]) => Promise<void>

async function eachBatch<P extends ExportPart>(
  source: ExportSource,
  part: P,
  take: TakeLines<P>,
): Promise<void> {
  let taken = 0
  for await (const lines of source.batches(part)) {
    const where = `lines ${taken + 1} to ${taken + lines.length} of ${part}.ndjson`
    await take(lines).catch((error: unknown) => refuseRows(error, where))
    taken += lines.length
  }
}

/** Loads each part after those that it references. */
async function load(read: Read, source: ExportSource, { onPart }: ImportOptions): Promise<void> {
  const rows = new LoadedRows(read)
  const each = async <P extends ExportPart>(part: P, take: TakeLines<P>) => {
    await eachBatch(source, part, take)
    onPart(part, source.counts[part])
  }
  const items = async <P extends ItemPart>(part: P, insert: (item: Lines[P]) => void) =>
    each(part, async (lines) => {
      for (const line of lines) {
        rows.version = line.version
        insert(line)
      }
      await rows.flush(read)
    })

  await each('terms', (lines) => insertTerms(read, lines))
  await items('personnel', (person) =>
    upsertPerson(rows, null, { ...person, manager_user_id: null }),
  )
  await eachBatch(source, 'personnel', (people) => updateManagers(read, people))
  await items('groups', (group) => upsertGroup(rows, null, group))
  await each('members', (lines) => insertMemberships(read, lines))
  await each('binding_holds', (lines) => insertHolds(read, lines))
  await each('departures', (lines) => insertDepartures(read, lines))
  await items('projects', (project) => upsertProject(rows, null, project))
  await each('reference_numbers', (lines) => updateNumbers(read, lines))
  await items('risks', (risk) => upsertRisk(rows, null, risk))
  await each('acceptances', (lines) => insertAcceptances(read, lines))
  await items('issues', (issue) => upsertIssue(rows, null, issue))
  await items('tasks', (task) => upsertTask(rows, null, task))
  await each('keys', async (keys) => {
    rows.count('keys', keys.filter(({ revoked_at }) => revoked_at === null).length)
    await insertKeys(read, keys)
  })
  await each('access', (lines) => insertAccess(read, lines))
  const position = positions()
  await each('events', (lines) => insertEvents(read, lines.map(position)))
  await each('history', (lines) => insertStates(read, lines))
  await each('audit', (lines) => insertAuditEntries(read, lines))
  refuseOverQuotas(rows.counts)
  await updateCounts(read, rows.counts)
}

/** An export can have quotas of another server, or of its own choice. Those of this one apply. */
function refuseOverQuotas(counts: Partial<Record<Quota, number>>): void {
  for (const [name, max] of Object.entries(limits.quota)) {
    // The cast holds because these are the names of the quotas.
    const count = counts[name as Quota] ?? 0
    if (count <= max) continue
    const detail = `The export has ${count} ${name}, and the quota of this server is ${max}`
    throw new Failure('quota_exceeded', `Nothing was imported. ${detail}.`)
  }
}

/** Numbers the events of each write, which follow each other. */
function positions() {
  let previous = { seq: 0, position: 0 }
  return (event: StoredEvent) => {
    const position = event.seq === previous.seq ? previous.position + 1 : 0
    previous = { seq: event.seq, position }
    return { ...event, position }
  }
}

/** Reads everything back, as an export would. */
async function refuseDifferences(read: Read, source: ExportSource): Promise<void> {
  const { take, differing } = source.comparison()
  await readParts(read, source.exported_at, take)
  const parts = differing()
  if (parts.length === 0) return
  const detail = `Nothing was imported. Read back, ${parts.join(', ')} differ from the export.`
  throw new Failure('unavailable', detail)
}
