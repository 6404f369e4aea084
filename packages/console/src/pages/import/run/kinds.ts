import type { CallOptions } from '@muster/client'
import type { Scope } from '@muster/contract'

import { client } from '#data/client.ts'
import type { Noun } from '#data/query-client.ts'
import { fieldsOf, type Kind } from '#pages/import/columns/fields.ts'
import type { matchOf } from '#pages/import/columns/identity.ts'

interface ImportKind {
  readonly scope: Scope
  readonly isInProject: boolean
  /** The nouns to refetch after an import. */
  readonly invalidates: readonly Noun[]
}

const ofProject = { scope: 'projects.manage', isInProject: true } as const

export const kinds: Readonly<Record<Kind, ImportKind>> = {
  people: {
    scope: 'personnel.manage',
    isInProject: false,
    invalidates: ['personnel', 'groups'],
  },
  projects: {
    scope: 'projects.manage',
    isInProject: false,
    invalidates: ['projects', 'personnel'],
  },
  risks: { ...ofProject, invalidates: ['risks', 'projects', 'personnel'] },
  issues: { ...ofProject, invalidates: ['issues', 'projects', 'personnel'] },
  tasks: { ...ofProject, invalidates: ['tasks', 'risks', 'issues', 'projects', 'personnel'] },
}

// The cast holds because `kinds` has no other keys.
export const allKinds = Object.keys(kinds) as readonly Kind[]

export const isKind = (word: string | undefined): word is Kind =>
  word !== undefined && Object.hasOwn(kinds, word)

/** Columns of exports, which a new file does not need. */
const notInTemplate =
  /^(?:id|version|ref|project_id|links|metadata|\w+_(?:reason|note))$|\.|_(?:user|external)_id$/

/** The columns of the template: the common ones, not all that a file can have. */
export const templateColumns = (kind: Kind) =>
  fieldsOf[kind].map(({ name }) => name).filter((name) => !notInTemplate.test(name))

/** Where the rows are imported. */
export interface Target {
  readonly kind: Kind
  /** Null if each row names its project, or for people and projects. */
  readonly projectId: string | null
  /** The column by which a row finds its record. */
  readonly match: ReturnType<typeof matchOf>
}

interface BatchBody {
  readonly csv: string
  readonly query?: { readonly dry_run: boolean }
}

/** A record as the service answers it, whatever its kind. */
export interface ImportedRecord {
  readonly id: string
  readonly ref?: string
  readonly project_id?: string
  readonly [field: string]: unknown
}

export interface BatchResponse {
  /** The records in the order of the rows. */
  readonly data: readonly ImportedRecord[]
  readonly outcomes: readonly string[]
  readonly count: number
  readonly created: number
  readonly changed: number
}

/** Sends one batch to the endpoint of its kind. */
export function sendBatch(
  { kind, projectId, match }: Target,
  { csv, query }: BatchBody,
  options: CallOptions,
): Promise<BatchResponse> {
  // The casts hold because the wizard offers only the columns by which the kind can be found.
  if (kind === 'people') {
    const by = match as 'external_id' | 'email' | null
    return client.personnel.batch({ csv, query: { ...query, ...(by && { match: by }) } }, options)
  }
  if (kind === 'projects') {
    const by = match as 'external_id' | 'code' | null
    return client.projects.batch({ csv, query: { ...query, ...(by && { match: by }) } }, options)
  }
  const by = match as 'external_id' | 'ref' | null
  const input = { csv, query: { ...query, ...(by && { match: by }) } }
  if (projectId === null) return client[kind].batch_across(input, options)
  return client[kind].batch({ ...input, params: { project_id: projectId } }, options)
}
