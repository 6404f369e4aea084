import type { Risk } from '@muster/contract'

import { level, scaleAt } from '#domain/rules/score'
import type { StoredRisk } from '#storage/nouns/risks'

/** A risk as responses have it: its row, and the levels. */
export const presentRisk = (risk: StoredRisk): Risk => presentRiskAt(risk, Number.MAX_SAFE_INTEGER)

/** The levels follow the scale of the number. */
export function presentRiskAt(risk: StoredRisk, seq: number): Risk {
  const scaleThen = scaleAt(seq)
  const { acceptance } = risk
  const accepted = acceptance?.score ?? null
  return {
    ...risk,
    level: level(risk.score, scaleThen),
    acceptance: acceptance && {
      ...acceptance,
      level: accepted === null ? null : level(accepted, scaleThen),
    },
  }
}
