import { sql } from 'kysely'

import type { Read, Write } from './database.ts'
import { encodeId, uuidOf, uuidOfOptional } from './id.ts'
import { nil } from './keyset.ts'
import type { DB } from './tables.ts'

export interface NamedProject {
  readonly id: string
  readonly code: string
  readonly name: string
}

/** The names of the projects of a workspace, from one index, a thousand at a time. */
export async function selectProjectNames(
  read: Read,
  after: string | null,
  limit: number,
): Promise<NamedProject[]> {
  const rows = await read.db
    .selectFrom('projects')
    .select(['id', 'code', 'name'])
    .where('workspace_id', '=', read.workspaceId)
    .where('id', '>', after === null ? nil : uuidOf(after))
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id, code, name }) => ({ id: encodeId('prj', id), code, name }))
}

export async function selectProjectByCode(read: Read, code: string): Promise<string | null> {
  const row = await read.db
    .selectFrom('projects')
    .select('id')
    .where('workspace_id', '=', read.workspaceId)
    .where('code', '=', code)
    .executeTakeFirst()
  return row ? encodeId('prj', row.id) : null
}

/** What counts the references that a project has given out. */
export type Numbered = 'risk_number' | 'issue_number'

/** The project as it is now, held until the write ends. */
export async function lockProject(write: Write, id: string) {
  const row = await write.db
    .selectFrom('projects')
    .select(['code', 'status', 'risk_number', 'issue_number'])
    .where('workspace_id', '=', write.workspaceId)
    .where('id', '=', uuidOf(id))
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row ?? null
}

/** The number of a reference is given out once. It is no part of the project's own version. */
export function updateNumber(write: Write, id: string, numbered: Numbered): void {
  write.add(
    write.db
      .updateTable('projects')
      .set({ [numbered]: sql<number>`${sql.ref(numbered)} + 1` })
      .where('workspace_id', '=', write.workspaceId)
      .where('id', '=', uuidOf(id)),
  )
}

export interface StoredProject {
  readonly id: string
  readonly code: string
  readonly name: string
  readonly description: string | null
  readonly status: DB['projects']['status']
  readonly health: DB['projects']['health']
  readonly health_note: string | null
  readonly health_set_at: string | null
  readonly owner_user_id: string | null
  readonly starts_on: string | null
  readonly due_on: string | null
  readonly risk_appetite: number | null
  readonly metadata: Record<string, string>
  readonly version: number
  readonly created_at: string
  readonly updated_at: string
}

export function insertProject(write: Write, project: StoredProject): void {
  write.add(
    write.db.insertInto('projects').values({
      ...project,
      workspace_id: write.workspaceId,
      id: uuidOf(project.id),
      owner_user_id: uuidOfOptional(project.owner_user_id),
      version: write.version,
    }),
  )
  write.touch('projects')
  write.count('projects', 1)
  write.keep({ noun: 'project', id: project.id, data: project, isNew: true })
}
