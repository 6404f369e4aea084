import { batchIssues } from '#domain/batch'
import { rehearsing } from '#domain/caller'
import {
  addIssue,
  closeIssue,
  listIssueHistory,
  listProjectIssues,
  reopenIssue,
  updateIssue,
  viewIssue,
} from '#domain/issues'
import { listOpenIssues, summarizeOpenIssues } from '#domain/open-issues'

import type { Handlers } from './bind.ts'

const at = (params: { project_id: string; issue_id: string }) => ({
  projectId: params.project_id,
  id: params.issue_id,
})

export const issues: Handlers['issues'] = {
  list: (caller, { query }) => listOpenIssues(caller, query),
  summary: (caller, { query }) => summarizeOpenIssues(caller, query),
  list_in_project: (caller, { params, query }) =>
    listProjectIssues(caller, params.project_id, query),
  create: (caller, { params, body }) => addIssue(caller, params.project_id, body),
  batch: (caller, { params, query, body }) =>
    batchIssues(rehearsing(caller, query.dry_run), params.project_id, body.data),
  view: (caller, { params }) => viewIssue(caller, at(params)),
  update: (caller, { params, body }) => updateIssue(caller, at(params), body),
  close: (caller, { params, body }) => closeIssue(caller, at(params), body),
  reopen: (caller, { params, body }) => reopenIssue(caller, at(params), body),
  history: (caller, { params }) => listIssueHistory(caller, at(params)),
}
