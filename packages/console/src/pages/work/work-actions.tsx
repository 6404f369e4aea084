import type { Assignment } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'
import { lazyRouteComponent } from '@tanstack/react-router'
import { type ReactNode, Suspense, useState } from 'react'

import { queryClient } from '#data/query-client.ts'
import { useMissingScopeReason } from '#data/whoami.ts'
import { showError } from '#kit/feedback/toast.tsx'
import { ActionButton } from '#kit/parts/action-button.tsx'
import { issueQuery } from '#nouns/issues/actions.ts'
import { riskQuery } from '#nouns/risks/actions.ts'
import { moveTask, taskQuery } from '#nouns/tasks/actions.ts'
import { t } from '#text/index.ts'

const ReviewDialog = lazyRouteComponent(
  () => import('#nouns/risks/review-dialog.tsx'),
  'ReviewDialog',
)
const CloseDialog = lazyRouteComponent(
  () => import('#nouns/issues/verb-dialogs.tsx'),
  'CloseDialog',
)

const texts = { risk: 'word.review', issue: 'work.close', task: 'work.done' } as const

interface RowActionProps {
  readonly work: Assignment
  /** Opens the dialog of the action. */
  readonly onAct: (work: Assignment) => void
}

/** The likeliest action: review the risk, close the issue or finish the task. */
export function RowAction({ work, onAct }: RowActionProps) {
  const reason = useMissingScopeReason('projects.manage')
  if (work.type === 'project') return null
  const text = t(texts[work.type])
  return (
    <ActionButton
      size="compact-sm"
      reason={reason}
      aria-label={`${text}: ${work.ref}`}
      onClick={() => (work.type === 'task' ? void finishTask(work) : onAct(work))}
    >
      {text}
    </ActionButton>
  )
}

/** The version of the task is not in the list, so the task is read first. */
async function finishTask({ project_id, id }: Assignment): Promise<void> {
  try {
    const task = await queryClient.fetchQuery(taskQuery({ project_id, id }))
    await moveTask(task, 'done')
  } catch (error) {
    showError(error)
  }
}

interface DialogProps {
  readonly work: Assignment
  readonly onClose: () => void
}

/** The dialog of the action. The complete record loads first. */
export function WorkDialog({ work, onClose }: DialogProps) {
  const isRisk = work.type === 'risk'
  const risk = useQuery({ ...riskQuery(work), enabled: isRisk })
  const issue = useQuery({ ...issueQuery(work), enabled: !isRisk })
  return (
    <Suspense>
      {risk.data && (
        <Seen record={risk.data}>{(seen) => <ReviewDialog seen={seen} onClose={onClose} />}</Seen>
      )}
      {issue.data && (
        <Seen record={issue.data}>{(seen) => <CloseDialog seen={seen} onClose={onClose} />}</Seen>
      )}
    </Suspense>
  )
}

interface SeenProps<T> {
  readonly record: T
  readonly children: (seen: T) => ReactNode
}

/** Keeps a record as it was when the dialog opened: a refetch does not change it. */
function Seen<T>({ record, children }: SeenProps<T>) {
  const [seen] = useState(record)
  return children(seen)
}
