import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { ScoreSparkline } from '#kit/charts/sparklines.tsx'
import { ProblemNotice } from '#kit/feedback/problem.tsx'
import { Bones } from '#kit/parts/bones.tsx'
import { AnchorLink, RiskLink } from '#kit/parts/links.tsx'
import {
  decisiveStep,
  issueRefs,
  leftAt,
  type Move,
  type MoveGroup,
  moveGroups,
  movesOf,
  pickMoves,
  sparkRange,
} from '#nouns/changes/moves.ts'
import { changesQuery } from '#nouns/changes/queries.ts'
import { RankChange, ScoreChange } from '#nouns/changes/score-change.tsx'
import { moveText } from '#nouns/changes/words.ts'
import { formatNearDay } from '#text/due.ts'
import { formatNumber, t } from '#text/index.ts'

import classes from './overview.module.css'

const shownMax = 5

/** The risks whose score changed, and those that entered or left the register. */
export function Moved({ since }: { readonly since: string }) {
  const { data, error, refetch } = useQuery(changesQuery({ since }))
  const [kind, setKind] = useState<MoveGroup | null>(null)
  const moves = data ? movesOf(data.risks) : []
  const ofKind = kind === null ? moves : moves.filter(({ group }) => group === kind)
  const day = formatNearDay(since)
  return (
    <section aria-label={t('overview.moved')} className={classes.section}>
      <div className={classes.head}>
        <h2>{t('overview.moved')}</h2>
        {moves.length > 0 && <Kinds moves={moves} kind={kind} onChange={setKind} />}
        <AnchorLink to="/changes" search={{ since }} inherit className={classes.all}>
          {t('overview.moved.all')}
        </AnchorLink>
      </div>
      {data === undefined && error !== null && (
        <ProblemNotice error={error} onRetry={() => void refetch()} />
      )}
      {data === undefined && error === null && <Bones count={shownMax} />}
      {data && ofKind.length === 0 && (
        <p className={classes.none}>
          {t(kind === null ? 'overview.moved.none' : 'overview.moved.none.kind', { day })}
        </p>
      )}
      {data && (
        <ul className={classes.moves}>
          {pickMoves(ofKind, shownMax).map((move) => (
            <MoveRow key={move.risk.id} move={move} issues={issueRefs(data.issues)} />
          ))}
        </ul>
      )}
    </section>
  )
}

interface KindsProps {
  readonly moves: readonly Move[]
  readonly kind: MoveGroup | null
  readonly onChange: (kind: MoveGroup | null) => void
}

const Kinds = ({ moves, kind, onChange }: KindsProps) => (
  <div role="group" aria-label={t('overview.moved.kind')} className={classes.kinds}>
    {[null, ...moveGroups].map((each) => (
      <button
        key={each ?? ''}
        type="button"
        aria-pressed={each === kind}
        onClick={() => onChange(each)}
      >
        {each === null ? t('word.all') : t(`changes.group.${each}`)}
        <span>
          {formatNumber(
            each === null ? moves.length : moves.filter(({ group }) => group === each).length,
          )}
        </span>
      </button>
    ))}
  </div>
)

interface RowProps {
  readonly move: Move
  readonly issues: ReadonlyMap<string, string>
}

function MoveRow({ move, issues }: RowProps) {
  const { risk, group } = move
  const { id, ref, title, project, before, after, scores = [] } = risk
  const step = decisiveStep(risk, group)
  return (
    <li>
      <ScoreChange before={before} after={after} />
      <span className={classes.ref}>{ref}</span>
      <span className={classes.title}>
        <RiskLink item={{ id, project_id: project.id, title }} />
      </span>
      <span className={classes.spark}>
        <ScoreSparkline
          itemRef={ref}
          scores={scores.map(({ score, changed_at }) => ({ score, time: Date.parse(changed_at) }))}
          level={(after ?? before)?.level ?? 'low'}
          range={sparkRange()}
          leftAt={leftAt(move)}
        />
      </span>
      <span className={classes.rank}>
        <RankChange before={before} after={after} />
      </span>
      <span className={classes.what}>{moveText(move, issues)}</span>
      <span className={classes.day}>
        {step && (
          <time dateTime={step.occurred_at}>{formatNearDay(step.occurred_at.slice(0, 10))}</time>
        )}
      </span>
    </li>
  )
}
