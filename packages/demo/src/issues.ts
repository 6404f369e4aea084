import { closedIssues } from './issues-closed.ts'
import { damIssues } from './issues-dam.ts'
import { openIssues } from './issues-open.ts'
import type { StoryIssue } from './types.ts'

/** The issues of Northwater. The issues that risks become have numbers between these. */
export const issues: readonly StoryIssue[] = [...closedIssues, ...damIssues, ...openIssues]
