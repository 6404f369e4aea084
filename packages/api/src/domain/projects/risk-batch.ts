import { isLive, NewRisk, type Risk, type CrossProjectRiskRow } from '@muster/contract'

import { applyRows, type BatchResult, changedRow, rowError } from '#domain/engine/batch'
import type { Caller } from '#domain/engine/caller'
import { isSame } from '#domain/engine/change'
import { pickProperties, readOnlyErrors, refuseErrors } from '#domain/engine/new-rows'
import { refuseOverQuota } from '#domain/engine/quota'
import { level, score } from '#domain/rules/score'
import { lockRisks, type StoredRisk } from '#storage/nouns/risks'

import type { ExternalIds } from './external-ids.ts'
import { type ItemBatch, openItems } from './item-batch.ts'
import { presentRisk } from './risk-levels.ts'
import {
  buildRisk,
  applyRiskPatch,
  saveNewRisk,
  saveRisk,
  type RiskContext,
  deriveRiskFields,
  riskAdvice,
} from './risks.ts'

const noun = {
  table: 'risks',
  stem: 'owner',
  number: 'risk_number',
  lock: lockRisks,
  personOf: (risk: StoredRisk) => risk.owner_user_id,
} as const

/** Creates and updates risks in one write. */
export function batchRisks(
  caller: Caller<'projects.manage'>,
  batch: ItemBatch<CrossProjectRiskRow>,
): Promise<BatchResult<Risk>> {
  return caller.database.write(caller, async (write) => {
    const { rows, stored, projects, people, externalIds } = await openItems(write, caller, {
      noun,
      batch,
    })
    let liveRisks = 0
    const { data, ...counts } = await applyRows<CrossProjectRiskRow, StoredRisk, 'changed'>(rows, {
      write,
      required: ['title', 'likelihood', 'impact'],
      existing: stored,
      outcomeFor: changedRow,
      create: (row) => {
        const risk = buildRiskFromRow(row, { write, people, ...projects.next(row) })
        externalIds.reserve(risk)
        liveRisks += Number(isLive(risk.status))
        return saveNewRisk(write, risk, Object.keys(pickProperties(row, NewRisk)))
      },
      change: (before, row) =>
        updateFromRow(before, row, { write, people, externalIds, project: projects.of(before) }),
    })
    await refuseOverQuota(write, 'live_risks', liveRisks)
    projects.save(write)
    return { data: data.map(presentRisk), ...counts }
  })
}

function buildRiskFromRow(
  row: CrossProjectRiskRow,
  context: RiskContext & { number: number },
): StoredRisk {
  // The cast holds because `applyRows` has checked the required fields.
  const risk = buildRisk(pickProperties(row, NewRisk) as NewRisk, context)
  const { now } = context.write
  const created = { schema: NewRisk, record: presentRisk(risk), advice: riskAdvice, now }
  const detail = 'must be identified, treating, monitoring or closed'
  const isRefused = row.status === 'occurred'
  refuseErrors([
    ...(isRefused ? [{ pointer: '/status', code: 'not_allowed', detail }] : []),
    ...readOnlyErrors(row, created),
  ])
  return risk
}

type BatchContext = RiskContext & { readonly externalIds: ExternalIds }

/** A new likelihood or impact counts as a review. */
function updateFromRow(
  before: StoredRisk,
  row: CrossProjectRiskRow,
  context: BatchContext,
): StoredRisk {
  const { likelihood = before.likelihood, impact = before.impact, ...others } = row
  const isRescored = likelihood !== before.likelihood || impact !== before.impact
  if (isRescored && !isLive(before.status)) {
    throw rowError(
      '/likelihood',
      'invalid_transition',
      `cannot be changed, because the risk is ${before.status}`,
    )
  }
  const rest = omitCurrentScores(others, before, score(likelihood, impact))
  const rating = isRescored ? { likelihood, impact, last_reviewed_at: context.write.now } : {}
  const changed = { ...before, ...applyRiskPatch(before, rest, context.people), ...rating }
  if (isSame(before, changed)) return before
  context.externalIds.reserve(changed)
  const type = isRescored ? 'risk.reviewed' : 'risk.updated'
  return saveRisk(context.write, { before, after: deriveRiskFields(changed, context), type })
}

/** Drops a score or level that is the previous or the new one: an export contains both fields. */
function omitCurrentScores(
  row: CrossProjectRiskRow,
  before: StoredRisk,
  product: number,
): CrossProjectRiskRow {
  const { score: rowScore, level: rowLevel, inherent, target, ...rest } = row
  const isScoreEdited = rowScore !== undefined && rowScore !== before.score && rowScore !== product
  const isLevelEdited =
    rowLevel !== undefined && rowLevel !== level(before.score) && rowLevel !== level(product)
  return {
    ...rest,
    ...(isScoreEdited && { score: rowScore }),
    ...(isLevelEdited && { level: rowLevel }),
    ...(inherent !== undefined && {
      inherent: inherent && omitCurrentScore(inherent, before.inherent),
    }),
    ...(target !== undefined && { target: target && omitCurrentScore(target, before.target) }),
  }
}

function omitCurrentScore<T extends { score?: number }>(
  rating: T,
  before: { score: number } | null,
): T {
  if (rating.score !== before?.score) return rating
  const { score: _, ...rest } = rating
  return rest as T
}
