import { asDryRun } from '#domain/engine/caller'
import { listClosedRisks } from '#domain/projects/closed-items'
import { listRegister, summarizeRegister } from '#domain/projects/register'
import { batchRisks } from '#domain/projects/risk-batch'
import {
  acceptRisk,
  closeRisk,
  occurRisk,
  reopenRisk,
  reviewRisk,
} from '#domain/projects/risk-lifecycle'
import {
  addRisk,
  listProjectRisks,
  listRiskHistory,
  updateRisk,
  viewRisk,
  viewScale,
} from '#domain/projects/risks'
import type { Handlers } from '#http/operations/handlers'

const idsOf = (params: { project_id: string; risk_id: string }) => ({
  projectId: params.project_id,
  id: params.risk_id,
})

export const risks: Handlers['risks'] = {
  list: (caller, { query }) => listRegister(caller, query),
  summary: (caller, { query }) => summarizeRegister(caller, query),
  list_closed: (caller, { query }) => listClosedRisks(caller, query),
  scale: () => viewScale(),
  list_in_project: (caller, { params, query }) =>
    listProjectRisks(caller, params.project_id, query),
  create: (caller, { params, body }) => addRisk(caller, params.project_id, body),
  batch: (caller, { params, query, body, lookups }) =>
    batchRisks(asDryRun(caller, query.dry_run), {
      ...body,
      lookups,
      match: query.match,
      projectId: params.project_id,
    }),
  batch_across: (caller, { query, body, lookups }) =>
    batchRisks(asDryRun(caller, query.dry_run), {
      ...body,
      lookups,
      match: query.match,
      projectId: null,
    }),
  view: (caller, { params, query }) => viewRisk(caller, idsOf(params), query),
  update: (caller, { params, body }) => updateRisk(caller, idsOf(params), body),
  review: (caller, { params, body }) => reviewRisk(caller, idsOf(params), body),
  accept: (caller, { params, body }) => acceptRisk(caller, idsOf(params), body),
  occur: (caller, { params, body }) => occurRisk(caller, idsOf(params), body),
  close: (caller, { params, body }) => closeRisk(caller, idsOf(params), body),
  reopen: (caller, { params, body }) => reopenRisk(caller, idsOf(params), body),
  history: (caller, { params, query }) => listRiskHistory(caller, idsOf(params), query),
}
