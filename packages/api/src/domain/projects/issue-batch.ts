import { isOpen, type Issue, type CrossProjectIssueRow, NewIssue } from '@muster/contract'

import { applyRows, type BatchResult, changedRow } from '#domain/engine/batch'
import type { Caller } from '#domain/engine/caller'
import { isSame } from '#domain/engine/change'
import { pickProperties, readOnlyErrors, refuseErrors } from '#domain/engine/new-rows'
import { refuseOverQuota } from '#domain/engine/quota'
import { refuseUnassignable } from '#domain/roster/assignable'
import { lockIssues, type StoredIssue } from '#storage/nouns/issues'

import {
  buildIssue,
  applyIssuePatch,
  saveIssue,
  saveNewIssue,
  deriveIssueFields,
  issueAdvice,
  type IssueContext,
} from './issues.ts'
import { type ItemBatch, openItems } from './item-batch.ts'

const noun = {
  table: 'issues',
  stem: 'assignee',
  number: 'issue_number',
  lock: lockIssues,
  personOf: (issue: StoredIssue) => issue.assignee_user_id,
} as const

/** Creates and updates issues in one write. */
export function batchIssues(
  caller: Caller<'projects.manage'>,
  batch: ItemBatch<CrossProjectIssueRow>,
): Promise<BatchResult<Issue>> {
  return caller.database.write(caller, async (write) => {
    const { rows, stored, projects, people, externalIds } = await openItems(write, caller, {
      noun,
      batch,
    })
    let openIssues = 0
    const { data, ...counts } = await applyRows<CrossProjectIssueRow, StoredIssue, 'changed'>(
      rows,
      {
        write,
        required: ['title', 'severity'],
        existing: stored,
        outcomeFor: changedRow,
        create: (row) => {
          refuseUnassignable(people, row.assignee_user_id, '/assignee_user_id')
          const issue = buildIssueFromRow(row, { write, ...projects.next(row) })
          externalIds.reserve(issue)
          openIssues += Number(isOpen(issue.status))
          return saveNewIssue(write, issue, Object.keys(pickProperties(row, NewIssue)))
        },
        change: (before, row) => {
          const changed = { ...before, ...applyIssuePatch(before, row, people) }
          if (isSame(before, changed)) return before
          externalIds.reserve(changed)
          const after = deriveIssueFields(changed, write)
          return saveIssue(write, { before, after, type: 'issue.updated' })
        },
      },
    )
    await refuseOverQuota(write, 'open_issues', openIssues)
    projects.save(write)
    return { data, ...counts }
  })
}

function buildIssueFromRow(row: CrossProjectIssueRow, context: IssueContext): StoredIssue {
  // The cast holds because `applyRows` has checked the required fields.
  const issue = buildIssue(pickProperties(row, NewIssue) as NewIssue, context)
  const { now } = context.write
  const created = { schema: NewIssue, record: issue, advice: issueAdvice, now }
  refuseErrors(readOnlyErrors(row, created))
  return issue
}
