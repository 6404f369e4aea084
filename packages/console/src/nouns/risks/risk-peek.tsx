import { useInfiniteQuery, useQuery } from '@tanstack/react-query'

import { allItems } from '#data/lists.ts'
import { Peek, PeekTitle } from '#kit/list/peek.tsx'
import { ActionButton } from '#kit/parts/action-button.tsx'
import { TaskLink } from '#kit/parts/links.tsx'
import { ScoreChip, Trend } from '#kit/parts/score.tsx'
import { StatusGlyph } from '#kit/parts/status.tsx'
import { When } from '#kit/parts/when.tsx'
import { isOpenTask, tasksOfSubject } from '#nouns/tasks/queries.ts'
import { t } from '#text/index.ts'

import { riskQuery } from './queries.ts'
import { type ListedRisk, RiskFlags } from './risk-columns.tsx'
import { isLive } from './risk-level.ts'
import { RiskProperties } from './risk-properties.tsx'
import { useRiskReasons } from './risk-reasons.ts'
import type { OpenRiskDialog } from './use-risk-dialog.tsx'

import classes from './risks.module.css'

interface Props {
  /** The risk as its row shows it. */
  readonly risk: ListedRisk
  readonly onOpen: (risk: Pick<ListedRisk, 'id' | 'project_id'>) => void
  readonly onClose: () => void
  readonly open: OpenRiskDialog
}

/** A risk beside its list. */
export function RiskPeek({ risk: listed, onOpen, onClose, open }: Props) {
  const { data: risk } = useQuery({ ...riskQuery(listed), placeholderData: listed })
  const reasons = useRiskReasons(listed)
  if (!risk) return null
  const action = isLive(risk) ? 'review' : 'reopen'
  return (
    <Peek
      title={t('risk.title')}
      onOpen={() => onOpen(risk)}
      onClose={onClose}
      foot={
        <>
          <ActionButton onClick={() => onOpen(risk)}>{t('peek.open.short')}</ActionButton>
          <ActionButton
            reason={reasons[action]}
            data-shortcut="r"
            onClick={() => open(action, risk)}
          >
            {t(`risk.${action}`)}
          </ActionButton>
        </>
      }
    >
      <PeekTitle
        over={
          <>
            <ScoreChip score={risk.score} level={risk.level} withWord />
            <Trend score={risk.score} previous={risk.previous_score} />
            {risk.ref}
            <RiskFlags risk={risk} />
          </>
        }
        title={risk.title}
        description={risk.description}
      />
      <RiskProperties risk={risk} />
      <Treatments riskId={risk.id} />
    </Peek>
  )
}

function Treatments({ riskId }: { readonly riskId: string }) {
  const { data, isSuccess } = useInfiniteQuery(tasksOfSubject(riskId))
  const tasks = allItems(data)
  return (
    <section className={classes.treatments} aria-label={t('risk.treatments')}>
      <h3>{t('risk.treatments')}</h3>
      {isSuccess && tasks.length === 0 && <p className={classes.note}>{t('tasks.none')}</p>}
      <ul>
        {tasks.map((task) => (
          <li key={task.id}>
            <StatusGlyph status={task.status} />
            <TaskLink id={task.id} project_id={task.project_id} inherit>
              {task.title}
            </TaskLink>
            <When day={task.due_on} isDone={!isOpenTask(task)} />
          </li>
        ))}
      </ul>
    </section>
  )
}
