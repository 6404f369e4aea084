import type { Task } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'

import { projectAddress, taskAddress } from '#data/addresses.ts'
import { ActionButton } from '#kit/parts/action-button.tsx'
import { StatusName } from '#kit/parts/status.tsx'
import { When } from '#kit/parts/when.tsx'
import { LinksSection } from '#kit/record/links-section.tsx'
import { Neighbours } from '#kit/record/neighbours.tsx'
import { RecordHead, RecordPage } from '#kit/record/record-page.tsx'
import { RecordRoute } from '#kit/record/record-route.tsx'
import { PersonById } from '#kit/references/people.tsx'
import { projectQuery } from '#kit/references/projects.ts'
import { useReasons } from '#kit/references/reasons.ts'
import { t } from '#text/index.ts'

import { editTask, moveTask, taskQuery } from './actions.ts'
import { isOpenTask, taskPages } from './queries.ts'
import { TaskMenu } from './task-actions.tsx'
import { useTaskDialogs } from './task-dialogs.ts'
import { TaskProperties } from './task-properties.tsx'

export function TaskPage() {
  const { project_id = '', task_id: id = '' } = useParams({ strict: false })
  return (
    <RecordRoute query={taskQuery({ project_id, id })} title={t('task.one')} crumbs={[list]}>
      {(task) => <TaskRecord key={task.id} task={task} />}
    </RecordRoute>
  )
}

const list = { to: '/tasks', text: t('tasks.title') } as const

function TaskRecord({ task }: { readonly task: Task }) {
  const { open, dialog } = useTaskDialogs('task/dialog')
  const { change: reason } = useReasons(task)
  const { data: project } = useQuery(projectQuery(task.project_id))
  const isOpen = isOpenTask(task)
  return (
    <RecordPage
      title={`${task.ref} ${task.title}`}
      crumbs={[list, { ...projectAddress({ id: task.project_id }), text: project?.name ?? '…' }]}
      name={task.ref}
      neighbours={<Neighbours id={task.id} source={taskPages({})} linkTo={taskAddress} />}
      actions={
        <>
          <TaskMenu task={task} open={open} />
          <ActionButton
            variant="filled"
            reason={reason}
            onClick={() => void moveTask(task, isOpen ? 'done' : 'todo')}
          >
            {t(isOpen ? 'task.complete' : 'task.reopen')}
          </ActionButton>
        </>
      }
      properties={<TaskProperties task={task} />}
    >
      <RecordHead
        over={task.ref}
        title={task.title}
        description={task.description}
        facts={
          <>
            <StatusName set="taskStatus" status={task.status} />
            <PersonById userId={task.assignee_user_id} missing={t('word.unassigned')} />
            <When day={task.due_on} isDone={!isOpen} />
          </>
        }
      />
      <LinksSection
        links={task.links}
        reason={reason}
        onSave={(links) => editTask(task, { links })}
      />
      {dialog}
    </RecordPage>
  )
}
