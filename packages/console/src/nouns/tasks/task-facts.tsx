import type { Task } from '@muster/contract'
import { useInfiniteQuery } from '@tanstack/react-query'

import { allItems } from '#data/lists.ts'
import { TaskLink } from '#kit/parts/links.tsx'
import type { Fact } from '#kit/record/activity.tsx'
import { t, type TextKey } from '#text/index.ts'

import { tasksOfSubject } from './queries.ts'

/**
 * When the tasks of a risk or an issue were added and finished, for its story. They come with the
 * list of the tasks, which does not have the authors.
 */
export function useTaskFacts(subjectId: string): readonly Fact[] {
  const { data } = useInfiniteQuery(tasksOfSubject(subjectId))
  return allItems(data).flatMap((task) => [
    factOf(task, 'activity.task-added', task.created_at),
    ...(task.completed_at === null ? [] : [factOf(task, 'activity.task-done', task.completed_at)]),
  ])
}

const factOf = (task: Task, key: TextKey, at: string): Fact => ({
  key: `${task.id} ${key}`,
  at,
  text: (
    <>
      {t(key, { ref: task.ref })}{' '}
      <TaskLink item={task}>{t('activity.note', { note: task.title })}</TaskLink>
    </>
  ),
})
