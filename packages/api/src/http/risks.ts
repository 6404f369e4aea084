import { batchRisks } from '#domain/batch'
import { rehearsing } from '#domain/caller'
import { listRegister, summarizeRegister } from '#domain/register'
import { acceptRisk, closeRisk, occurRisk, reopenRisk, reviewRisk } from '#domain/risk-life'
import {
  addRisk,
  listProjectRisks,
  listRiskHistory,
  updateRisk,
  viewRisk,
  viewScale,
} from '#domain/risks'

import type { Handlers } from './bind.ts'

const at = (params: { project_id: string; risk_id: string }) => ({
  projectId: params.project_id,
  id: params.risk_id,
})

export const risks: Handlers['risks'] = {
  list: (caller, { query }) => listRegister(caller, query),
  summary: (caller, { query }) => summarizeRegister(caller, query),
  scale: () => viewScale(),
  list_in_project: (caller, { params, query }) =>
    listProjectRisks(caller, params.project_id, query),
  create: (caller, { params, body }) => addRisk(caller, params.project_id, body),
  batch: (caller, { params, query, body }) =>
    batchRisks(rehearsing(caller, query.dry_run), params.project_id, body.data),
  view: (caller, { params }) => viewRisk(caller, at(params)),
  update: (caller, { params, body }) => updateRisk(caller, at(params), body),
  review: (caller, { params, body }) => reviewRisk(caller, at(params), body),
  accept: (caller, { params, body }) => acceptRisk(caller, at(params), body),
  occur: (caller, { params, body }) => occurRisk(caller, at(params), body),
  close: (caller, { params, body }) => closeRisk(caller, at(params), body),
  reopen: (caller, { params, body }) => reopenRisk(caller, at(params), body),
  history: (caller, { params }) => listRiskHistory(caller, at(params)),
}
