import type { Risk } from '@muster/contract'

import { ScoreChip } from '#kit/parts/score.tsx'

interface Props {
  readonly risk: Pick<Risk, 'ref' | 'title' | 'score' | 'level'>
}

/** The risk that a dialog is about. */
export const RiskName = ({ risk: { ref, title, score, level } }: Props) => (
  <>
    <ScoreChip score={score} level={level} /> {ref} {title}
  </>
)
