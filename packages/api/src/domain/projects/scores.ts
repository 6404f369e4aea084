import { type ScoreChange, scoreChangesMax } from '@muster/contract'

import { selectScoreChanges } from '#storage/derived/scores'
import type { Read } from '#storage/statements/access'

const idsAtOnce = 500

/** By risk: the last changes of its score up to a number, and the score before them. */
export async function readScores(
  read: Read,
  { ids, seq }: { readonly ids: readonly string[]; readonly seq: number },
): Promise<Map<string, ScoreChange[]>> {
  const scores = new Map<string, ScoreChange[]>()
  for (let first = 0; first < ids.length; first += idsAtOnce) {
    const asked = ids.slice(first, first + idsAtOnce)
    const rows = await selectScoreChanges(read, { ids: asked, seq })
    for (const [id, ofRisk] of Map.groupBy(rows, (row) => row.id)) {
      const changes = ofRisk.slice(-scoreChangesMax - 1)
      scores.set(
        id,
        changes.map(({ score, score_changed_at, created_at }) => ({
          score,
          changed_at: score_changed_at ?? created_at,
        })),
      )
    }
  }
  return scores
}
