import type { Assignment } from '@muster/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'

import { allItems } from '#data/lists.ts'
import { type WorkItem, workMax, workPages } from '#data/my-work.ts'
import { useKeptState } from '#kit/form/draft.ts'
import { useFilters } from '#kit/list/filters.ts'
import { ListPage } from '#kit/list/list-page.tsx'
import { List } from '#kit/list/list.tsx'
import { useHasRail } from '#kit/list/rail.tsx'
import { useView } from '#kit/list/views.tsx'
import { formatToday } from '#text/dates.ts'
import { t } from '#text/index.ts'

import { NoWork } from './no-work.tsx'
import { PlannedDepartures } from './planned-departures.tsx'
import { ProjectRail, ProjectStrip } from './project-cards.tsx'
import { RowAction, WorkDialog } from './work-actions.tsx'
import { workColumns } from './work-columns.tsx'
import { WorkspaceRail } from './workspace-rail.tsx'

import classes from './work.module.css'

const isAny = () => true
const everything = workPages(isAny)

/** The items of each view. */
const views: Readonly<Record<string, (item: WorkItem) => boolean>> = {
  '': isAny,
  reviews: ({ group, work }) => work.type === 'risk' && group !== 'risks',
  issues: ({ work }) => work.type === 'issue',
  tasks: ({ work }) => work.type === 'task',
  risks: ({ group }) => group === 'risks',
}

const viewNames = {
  '': 'work.view.all',
  reviews: 'work.view.reviews',
  issues: 'issues.title',
  tasks: 'tasks.title',
  risks: 'work.group.risks',
} as const

/** The work of the person who is signed in, by due date. */
export function MyWork() {
  const view = useView()
  const query = useInfiniteQuery(useMemo(() => workPages(views[view] ?? isAny), [view]))
  const shown = useMemo(() => allItems(query.data), [query.data])
  const all = allItems(useInfiniteQuery(everything).data)
  const [acting, setActing] = useKeptState<Assignment | null>('work/dialog', null)
  const open = useOpenWork()
  const filters = useFilters([])
  const isWide = useHasRail()
  return (
    <ListPage
      title={t('work.title')}
      note={formatToday()}
      views={Object.entries(viewNames).map(([key, name]) => ({
        key,
        name: t(name),
        // A risk is listed twice, but it is counted once.
        count: all.filter((item) => views[key]?.(item) && (key || item.group !== 'risks')).length,
      }))}
      filters={filters}
      fields={[]}
      strip={
        <>
          <PlannedDepartures />
          {query.data?.isCut && <p className={classes.cut}>{t('work.cut', { count: workMax })}</p>}
          {!isWide && view === '' && <ProjectStrip />}
        </>
      }
      rail={
        <>
          {isWide && <ProjectRail />}
          <WorkspaceRail />
        </>
      }
    >
      <List
        label={t('work.title')}
        columns={workColumns}
        query={query}
        total={shown.length}
        groupOf={useGroupOf(shown)}
        hasRank={false}
        onOpen={({ work }) => open(work)}
        actions={({ work }) => <RowAction work={work} onAct={setActing} />}
        empty={<NoWork />}
      />
      {acting && <WorkDialog work={acting} onClose={() => setActing(null)} />}
    </ListPage>
  )
}

/** The head of the group of an item, with the number of its items. */
function useGroupOf(items: readonly WorkItem[]) {
  return useMemo(() => {
    const counts = Map.groupBy(items, ({ group }) => group)
    return ({ group }: WorkItem) => ({
      key: group,
      name: (
        <span className={group === 'overdue' ? classes.late : undefined}>
          {t(`work.group.${group}`)}
        </span>
      ),
      count: counts.get(group)?.length ?? 0,
    })
  }, [items])
}

function useOpenWork() {
  const navigate = useNavigate()
  return ({ type, id, project_id }: Assignment) => {
    const search = {}
    if (type === 'risk')
      void navigate({
        to: '/projects/$project_id/risks/$risk_id',
        params: { project_id, risk_id: id },
        search,
      })
    else if (type === 'issue')
      void navigate({
        to: '/projects/$project_id/issues/$issue_id',
        params: { project_id, issue_id: id },
        search,
      })
    else
      void navigate({
        to: '/projects/$project_id/tasks/$task_id',
        params: { project_id, task_id: id },
        search,
      })
  }
}
