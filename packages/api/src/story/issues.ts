import type { Issue, NewIssue } from '@muster/contract'

import { closedIssues } from './issues-closed.ts'
import { openIssues } from './issues-open.ts'
import type { StoryRating } from './risks.ts'

/** An issue of the story as it was opened, and how it was closed if it was closed at once. */
export interface StoryIssue {
  /** The code of a project. */
  readonly project: string
  readonly title: string
  readonly description?: string
  readonly type: Issue['type']
  readonly severity: StoryRating
  readonly status?: NonNullable<NewIssue['status']>
  /** The key of a person. */
  readonly assignee?: string
  readonly due_on?: string
  readonly blocked_reason?: string
  readonly tags?: readonly string[]
  readonly metadata?: Readonly<Record<string, string>>
  readonly close?: {
    readonly reason: NonNullable<Issue['close_reason']>
    readonly note: string
  }
}

/**
 * The issues of Northwater. A reference counts within its project in this order, and those that are
 * closed came first.
 */
export const issues: readonly StoryIssue[] = [...closedIssues, ...openIssues]
