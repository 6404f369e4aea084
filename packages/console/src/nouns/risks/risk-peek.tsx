import { useInfiniteQuery, useQuery } from '@tanstack/react-query'

import { allItems } from '#data/lists.ts'
import { Peek, PeekTitle } from '#kit/list/peek.tsx'
import type { PeekProps } from '#kit/list/record-list.tsx'
import { ActionButton } from '#kit/parts/action-button.tsx'
import { TaskLink } from '#kit/parts/links.tsx'
import { ScoreChip, Trend } from '#kit/parts/score.tsx'
import { StatusGlyph } from '#kit/parts/status.tsx'
import { When } from '#kit/parts/when.tsx'
import { isOpenTask, tasksOfSubject } from '#nouns/tasks/queries.ts'
import { t } from '#text/index.ts'

import { riskQuery } from './actions.ts'
import type { ListedRisk } from './queries.ts'
import { primaryOf } from './risk-actions.tsx'
import { RiskFlags } from './risk-columns.tsx'
import type { OpenRiskDialog } from './risk-dialogs.tsx'
import { RiskProperties } from './risk-properties.tsx'
import { useRiskReasons } from './risk-reasons.ts'

import classes from './risks.module.css'

interface Props extends PeekProps<ListedRisk> {
  readonly open: OpenRiskDialog
}

/** A risk beside its list. */
export function RiskPeek({ item, onOpen, onClose, open }: Props) {
  const { data: risk = item } = useQuery({ ...riskQuery(item), placeholderData: item })
  const reasons = useRiskReasons(risk)
  const action = primaryOf(risk)
  return (
    <Peek
      title={t('word.risk')}
      onOpen={onOpen}
      onClose={onClose}
      foot={
        <>
          <ActionButton onClick={onOpen}>{t('word.open')}</ActionButton>
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
            <TaskLink item={task} className="cut" />
            <When day={task.due_on} isDone={!isOpenTask(task)} />
          </li>
        ))}
      </ul>
    </section>
  )
}
