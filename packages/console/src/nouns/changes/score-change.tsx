import type { RiskState } from '@muster/contract'

import { ScoreChip } from '#kit/parts/score.tsx'
import { t } from '#text/index.ts'

import { isLive } from './moves.ts'

import classes from './changes.module.css'

interface Props {
  readonly before: RiskState | null
  readonly after: RiskState | null
}

/** The score before and after. An empty chip says that the risk was not in the register. */
export function ScoreChange({ before, after }: Props) {
  const isSame = isLive(before) && isLive(after) && before.score === after.score
  return (
    <span className={classes.change}>
      {!isSame && (
        <>
          <Score state={before} />
          <span aria-hidden>→</span>
          <span className={classes.hidden}>{t('changes.to')}</span>
        </>
      )}
      <Score state={after} />
    </span>
  )
}

const Score = ({ state }: { readonly state: RiskState | null }) =>
  isLive(state) ? (
    <ScoreChip score={state.score} level={state.level} />
  ) : (
    <span className={classes.none} title={t('changes.not-live')}>
      –<span className={classes.hidden}>{t('changes.not-live')}</span>
    </span>
  )

/** The rank before and after; one of them if the risk entered or left. */
export function RankChange({ before, after }: Props) {
  const [was, is] = [before?.rank ?? null, after?.rank ?? null]
  if (was === null || is === null || was === is)
    return <span className={classes.rank}>{is === null ? was : <b>{is}</b>}</span>
  return (
    <span className={classes.rank}>
      {was} <span aria-hidden>→</span>
      <span className={classes.hidden}>{t('changes.to')}</span> <b>{is}</b>
    </span>
  )
}
