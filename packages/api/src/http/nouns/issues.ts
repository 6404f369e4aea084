import { asDryRun } from '#domain/engine/caller'
import { listClosedIssues } from '#domain/projects/closed-items'
import { batchIssues } from '#domain/projects/issue-batch'
import {
  addIssue,
  closeIssue,
  listIssueHistory,
  listProjectIssues,
  reopenIssue,
  updateIssue,
  viewIssue,
} from '#domain/projects/issues'
import { listOpenIssues, summarizeOpenIssues } from '#domain/projects/open-issues'
import type { Handlers } from '#http/operations/handlers'

const idsOf = (params: { project_id: string; issue_id: string }) => ({
  projectId: params.project_id,
  id: params.issue_id,
})

export const issues: Handlers['issues'] = {
  list: (caller, { query }) => listOpenIssues(caller, query),
  summary: (caller, { query }) => summarizeOpenIssues(caller, query),
  list_closed: (caller, { query }) => listClosedIssues(caller, query),
  list_in_project: (caller, { params, query }) =>
    listProjectIssues(caller, params.project_id, query),
  create: (caller, { params, body }) => addIssue(caller, params.project_id, body),
  batch: (caller, { params, query, body, lookups }) =>
    batchIssues(asDryRun(caller, query.dry_run), {
      ...body,
      lookups,
      match: query.match,
      projectId: params.project_id,
    }),
  batch_across: (caller, { query, body, lookups }) =>
    batchIssues(asDryRun(caller, query.dry_run), {
      ...body,
      lookups,
      match: query.match,
      projectId: null,
    }),
  view: (caller, { params, query }) => viewIssue(caller, idsOf(params), query),
  update: (caller, { params, body }) => updateIssue(caller, idsOf(params), body),
  close: (caller, { params, body }) => closeIssue(caller, idsOf(params), body),
  reopen: (caller, { params, body }) => reopenIssue(caller, idsOf(params), body),
  history: (caller, { params, query }) => listIssueHistory(caller, idsOf(params), query),
}
