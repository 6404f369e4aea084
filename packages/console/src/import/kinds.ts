import type { CallOptions } from '@muster/client'
import type { IssueRow, PersonRow, RiskRow, Scope } from '@muster/contract'

import type { Noun } from '#api/cache.ts'
import { client } from '#api/client.ts'

interface KindOf<R> {
  readonly scope: Scope
  readonly isInProject: boolean
  /** What a new row cannot do without. */
  readonly required: readonly (keyof R & string)[]
  /** What the template offers: not all that the API takes, but what most have. */
  readonly columns: readonly (keyof R & string)[]
  /** What is not as it was once rows were taken. */
  readonly touches: readonly Noun[]
}

const people: KindOf<PersonRow> = {
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
  touches: ['personnel', 'groups'],
}

const risks: KindOf<RiskRow> = {
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
  touches: ['risks', 'projects', 'personnel'],
}

const issues: KindOf<IssueRow> = {
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
  touches: ['issues', 'projects', 'personnel'],
}

/** What can be imported. */
export const kinds = { people, risks, issues }
export type Kind = keyof typeof kinds

export const isKind = (word: string | undefined): word is Kind =>
  word !== undefined && Object.hasOwn(kinds, word)

/** Where a file goes. */
export type Target =
  | { readonly kind: 'people' }
  | { readonly kind: 'risks' | 'issues'; readonly projectId: string }

interface Sent {
  readonly csv: string
  readonly query?: { readonly dry_run: boolean }
}

export interface Answer {
  /** What each row became, in the order of the rows. */
  readonly data: readonly { readonly version: number }[]
  readonly count: number
  readonly created: number
  readonly changed: number
}

/** Sends rows to where they go. */
export function sendRows(target: Target, sent: Sent, options: CallOptions): Promise<Answer> {
  if (target.kind === 'people') return client.personnel.batch(sent, options)
  const given = { ...sent, params: { project_id: target.projectId } }
  return client[target.kind].batch(given, options)
}
