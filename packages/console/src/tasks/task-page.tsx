import type { Task } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'
import { lazyRouteComponent, useParams } from '@tanstack/react-router'

import { useReasons } from '#issues/reasons.ts'
import { t } from '#text/index.ts'
import { ActionButton } from '#ui/action-button.tsx'
import { useKeptState } from '#ui/draft.ts'
import { LazyDialog } from '#ui/lazy-dialog.tsx'
import { AnchorLink } from '#ui/links.tsx'
import type { OrderedRef } from '#ui/list/order.ts'
import { PagePending } from '#ui/page-states.tsx'
import { Page } from '#ui/page.tsx'
import { StatusName } from '#ui/parts/status.tsx'
import { When } from '#ui/parts/when.tsx'
import { PersonById } from '#ui/people.tsx'
import { ProblemNotice } from '#ui/problem.tsx'
import { projectQuery } from '#ui/projects.ts'
import { LinksSection } from '#ui/record/links-section.tsx'
import { Neighbours } from '#ui/record/neighbours.tsx'
import { RecordHead, RecordPage } from '#ui/record/record-page.tsx'

import { editTask, moveTask } from './actions.ts'
import { isOpenTask, taskPages, taskQuery } from './queries.ts'
import { TaskMenu } from './task-actions.tsx'
import { TaskProperties } from './task-properties.tsx'

const EditTaskDialog = lazyRouteComponent(() => import('./task-dialog.tsx'), 'EditTaskDialog')

export function TaskPage() {
  const { project_id = '', task_id: id = '' } = useParams({ strict: false })
  const { data: task, error, isError } = useQuery(taskQuery({ project_id, id }))
  if (task) return <TaskRecord key={task.id} task={task} />
  if (!isError) return <PagePending />
  return (
    <Page title={t('task.one')} breadcrumbs={[<TasksLink key="tasks" />]}>
      <ProblemNotice error={error} />
    </Page>
  )
}

const TasksLink = () => (
  <AnchorLink to="/tasks" search={{}}>
    {t('tasks.title')}
  </AnchorLink>
)

const linkTo = ({ id, project_id = '' }: OrderedRef) => ({
  to: '/projects/$project_id/tasks/$task_id' as const,
  params: { project_id, task_id: id },
})

function TaskRecord({ task }: { readonly task: Task }) {
  const [isEditing, setEditing] = useKeptState('task/edit', false)
  const { change: reason } = useReasons(task)
  const { data: project } = useQuery(projectQuery(task.project_id))
  const isOpen = isOpenTask(task)
  return (
    <RecordPage
      title={`${task.ref} ${task.title}`}
      crumbs={[
        <TasksLink key="tasks" />,
        <AnchorLink
          key="project"
          to="/projects/$project_id"
          params={{ project_id: task.project_id }}
        >
          {project?.name ?? '…'}
        </AnchorLink>,
      ]}
      name={task.ref}
      neighbours={<Neighbours id={task.id} source={taskPages({})} linkTo={linkTo} />}
      actions={
        <>
          <TaskMenu task={task} onEdit={() => setEditing(true)} />
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
            <PersonById userId={task.assignee_user_id} missing={t('tasks.unassigned')} />
            <When day={task.due_on} isDone={!isOpen} />
          </>
        }
      />
      <LinksSection
        links={task.links}
        reason={reason}
        onSave={(links) => editTask(task, { links })}
      />
      <LazyDialog isOpen={isEditing}>
        <EditTaskDialog task={task} onClose={() => setEditing(false)} />
      </LazyDialog>
    </RecordPage>
  )
}
