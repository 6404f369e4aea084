import type { TaskSummary } from '@muster/contract'

import { type Bar, Bars } from '#kit/list/bars.tsx'
import type { Filters } from '#kit/list/filters.ts'
import { RailSection } from '#kit/list/rail.tsx'
import { t } from '#text/index.ts'
import { label } from '#text/labels.ts'

interface Props {
  readonly summary: TaskSummary | undefined
  readonly filters: Filters
}

/** The open tasks by status and by project. A bar is a filter. */
export function TaskRail({ summary, filters }: Props) {
  const bar = (name: string, filter: Record<string, string>, count: number): Bar => ({
    name,
    parts: [{ count }],
    isPressed: filters.isSet(filter),
    onClick: () => filters.toggle(filter),
  })
  if (summary === undefined) return null
  return (
    <>
      <RailSection title={t('word.status')}>
        <Bars
          bars={Object.entries(summary.by_status).map(([status, count]) =>
            bar(label('taskStatus', status), { status }, count),
          )}
        />
      </RailSection>
      <RailSection title={t('word.project')}>
        <Bars
          bars={summary.by_project.map(({ project, count }) =>
            bar(project.name, { project_id: project.id }, count),
          )}
        />
      </RailSection>
    </>
  )
}
