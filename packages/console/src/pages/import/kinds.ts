import type { CallOptions } from '@muster/client'
import type { IssueRow, PersonRow, RiskRow, Scope } from '@muster/contract'

import { client } from '#data/client.ts'
import type { Noun } from '#data/query-client.ts'

interface ImportKind<R> {
  readonly scope: Scope
  readonly isInProject: boolean
  /** The columns that a new row must have. */
  readonly required: readonly (keyof R & string)[]
  /** The columns of the template: the common ones, not all that the API accepts. */
  readonly columns: readonly (keyof R & string)[]
  /** The nouns to refetch after an import. */
  readonly invalidates: readonly Noun[]
}

const people: ImportKind<PersonRow> = {
  scope: 'personnel.manage',
  isInProject: false,
  required: ['name'],
  columns: [
    'id',
    'name',
    'email',
    'phone',
    'title',
    'department',
    'external_id',
    'manager_user_id',
    'time_zone',
    'start_on',
    'end_on',
  ],
  invalidates: ['personnel', 'groups'],
}

const risks: ImportKind<RiskRow> = {
  scope: 'projects.manage',
  isInProject: true,
  required: ['title', 'likelihood', 'impact'],
  columns: [
    'id',
    'title',
    'description',
    'category',
    'likelihood',
    'impact',
    'status',
    'response',
    'owner_user_id',
    'review_on',
    'tags',
  ],
  invalidates: ['risks', 'projects', 'personnel'],
}

const issues: ImportKind<IssueRow> = {
  scope: 'projects.manage',
  isInProject: true,
  required: ['title', 'severity'],
  columns: [
    'id',
    'title',
    'description',
    'type',
    'severity',
    'status',
    'assignee_user_id',
    'due_on',
    'blocked_reason',
    'tags',
  ],
  invalidates: ['issues', 'projects', 'personnel'],
}

export const kinds = { people, risks, issues }
export type Kind = keyof typeof kinds

export const isKind = (word: string | undefined): word is Kind =>
  word !== undefined && Object.hasOwn(kinds, word)

/** Where the rows are imported. */
export type Target =
  | { readonly kind: 'people' }
  | { readonly kind: 'risks' | 'issues'; readonly projectId: string }

interface BatchBody {
  readonly csv: string
  readonly query?: { readonly dry_run: boolean }
}

export interface BatchResponse {
  /** The resources in the order of the rows. */
  readonly data: readonly { readonly version: number }[]
  readonly count: number
  readonly created: number
  readonly changed: number
}

/** Sends one batch to the endpoint of its kind. */
export function sendBatch(
  target: Target,
  body: BatchBody,
  options: CallOptions,
): Promise<BatchResponse> {
  if (target.kind === 'people') return client.personnel.batch(body, options)
  const input = { ...body, params: { project_id: target.projectId } }
  return client[target.kind].batch(input, options)
}
