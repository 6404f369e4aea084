import type { Assignment } from '@muster/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'

import { issueAddress, riskAddress, taskAddress } from '#data/addresses.ts'
import { allItems } from '#data/lists.ts'
import { type WorkItem, workKey, workMax, workPages } from '#data/my-work.ts'
import { useSetup } from '#data/setup.ts'
import { useWhoami } from '#data/whoami.ts'
import { useKeptState } from '#kit/form/draft.ts'
import { useFilters } from '#kit/list/filters.ts'
import { ListPage } from '#kit/list/list-page.tsx'
import { List } from '#kit/list/list.tsx'
import { RailSection, useHasRail } from '#kit/list/rail.tsx'
import { useView } from '#kit/list/views.tsx'
import { AnchorLink, ButtonLink } from '#kit/parts/links.tsx'
import { EmptyState } from '#kit/parts/page.tsx'
import { formatToday } from '#text/dates.ts'
import { t, type TextKey } from '#text/index.ts'

import { PlannedDepartures } from './planned-departures.tsx'
import { ProjectRail, ProjectStrip } from './project-cards.tsx'
import { RowAction, WorkDialog } from './work-actions.tsx'
import { workColumns } from './work-columns.tsx'
import { WorkspaceCounts } from './workspace-counts.tsx'

import classes from './work.module.css'

interface WorkView {
  readonly name: TextKey
  readonly has: (item: WorkItem) => boolean
}

const all: WorkView = { name: 'word.all', has: () => true }

/** The views by their key. */
const views: Readonly<Record<string, WorkView>> = {
  '': all,
  reviews: {
    name: 'work.view.reviews',
    has: ({ group, work }) => work.type === 'risk' && group !== 'risks',
  },
  issues: { name: 'issues.title', has: ({ work }) => work.type === 'issue' },
  tasks: { name: 'tasks.title', has: ({ work }) => work.type === 'task' },
  risks: { name: 'work.group.risks', has: ({ group }) => group === 'risks' },
}

const everything = workPages(all.has)

/** The work of the person who is signed in, by due date. */
export function MyWork() {
  const view = useView()
  const query = useInfiniteQuery(useMemo(() => workPages((views[view] ?? all).has), [view]))
  const shown = useMemo(() => allItems(query.data), [query.data])
  const items = allItems(useInfiniteQuery(everything).data)
  const [acting, setActing] = useKeptState<Assignment | null>('work/dialog', null)
  const navigate = useNavigate()
  const filters = useFilters([])
  const isWide = useHasRail()
  return (
    <ListPage
      title={t('work.title')}
      note={formatToday()}
      views={Object.entries(views).map(([key, { name, has }]) => ({
        key,
        name: t(name),
        // A risk is listed twice, but it is counted once.
        count: items.filter((item) => has(item) && (key || item.group !== 'risks')).length,
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
        queryKey={workKey}
        total={shown.length}
        groupOf={useGroupOf(shown)}
        hasRank={false}
        onOpen={({ work }) => void navigate(addressOf(work))}
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

function addressOf(work: Assignment) {
  if (work.type === 'risk') return riskAddress(work)
  return work.type === 'issue' ? issueAddress(work) : taskAddress(work)
}

/** A person without work. In a workspace that is not set up, the way back to Start. */
function NoWork() {
  const { doneCount, count, isDone } = useSetup()
  return (
    <EmptyState title={t('work.none')} advice={t('work.none.about')}>
      {!isDone && (
        <ButtonLink to="/start" search={{}}>
          {t('start.continue', { done: doneCount, count })}
        </ButtonLink>
      )}
    </EmptyState>
  )
}

/** The state of the workspace, beside the work of a person. */
function WorkspaceRail() {
  const { workspace } = useWhoami()
  return (
    <RailSection
      title={t('work.today', { name: workspace.name })}
      aside={
        <AnchorLink to="/overview" search={{}} inherit>
          {t('overview.title')}
        </AnchorLink>
      }
    >
      <WorkspaceCounts />
    </RailSection>
  )
}
