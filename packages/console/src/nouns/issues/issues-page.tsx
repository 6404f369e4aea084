import { useQuery } from '@tanstack/react-query'
import { lazyRouteComponent, useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'

import { fromList } from '#data/order.ts'
import { type Search, stringifySearch } from '#data/search.ts'
import { useMissingScopeReason } from '#data/whoami.ts'
import { useCreateDialog } from '#kit/form/create-dialog.ts'
import { useKeptState } from '#kit/form/draft.ts'
import { IconPlus } from '#kit/icons/index.tsx'
import { ExportButton } from '#kit/list/export-button.tsx'
import { useFilters } from '#kit/list/filters.ts'
import { ListPage } from '#kit/list/list-page.tsx'
import { useSort } from '#kit/list/sort.ts'
import { usePeek } from '#kit/list/use-peek.ts'
import { ActionButton } from '#kit/parts/action-button.tsx'
import { LazyDialog } from '#kit/parts/lazy-dialog.tsx'
import { t } from '#text/index.ts'

import { IssueDialog, type OpenDialog } from './issue-dialogs.tsx'
import { useIssueFields } from './issue-filters.ts'
import { issueGroupings } from './issue-groups.ts'
import { IssuePeek } from './issue-peek.tsx'
import { IssueRail } from './issue-rail.tsx'
import { IssueRows } from './issue-rows.tsx'
import { issueSorts, type IssueView, useIssueView, useIssueViews } from './issue-views.ts'
import { issueSummaryQuery, type ListedIssue } from './queries.ts'

const NewIssueDialog = lazyRouteComponent(() => import('./new-issue-dialog.tsx'), 'NewIssueDialog')

/** Each view has its own selection and peek. */
export function IssuesPage() {
  const { view, query } = useIssueView()
  return <Issues key={view} view={view} viewQuery={query} />
}

interface Props {
  readonly view: IssueView
  /** The filter of the view. */
  readonly viewQuery: Search
}

function Issues({ view, viewQuery }: Props) {
  const fields = useIssueFields(view)
  const filters = useFilters(fields.map(({ name }) => name))
  const query = { ...filters.values, ...viewQuery }
  const isClosed = view === 'closed'
  const seesPeople = useMissingScopeReason('personnel.read') === null
  const sort = useSort(issueSorts(view, seesPeople))
  const reason = useMissingScopeReason('projects.manage')
  const { isOpen, open, close } = useCreateDialog('issue', reason)
  const overview = useQuery(issueSummaryQuery({}))
  const summary = useQuery({ ...issueSummaryQuery(query), enabled: !isClosed })
  const views = useIssueViews(overview.data)
  const [dialog, setDialog] = useKeptState<OpenDialog | null>('issues/dialog', null)
  const peek = usePeek<ListedIssue>()
  const onOpen = useOpenIssue()
  return (
    <ListPage
      title={t('issues.title')}
      actions={
        <>
          <ExportButton
            path={isClosed ? '/v1/issues/closed' : '/v1/issues'}
            query={{ ...query, ...sort.query }}
            name="issues"
          />
          <ActionButton
            variant="filled"
            leftSection={<IconPlus size={16} />}
            onClick={open}
            reason={reason}
          >
            {t('issues.new')}
          </ActionButton>
        </>
      }
      views={views}
      filters={filters}
      fields={fields}
      display={{
        ...(!isClosed && { groupings: issueGroupings }),
        sort,
        printPath: `/print/issues${stringifySearch({ ...query, ...sort.query, ...(isClosed && { view }) })}`,
      }}
      {...(!isClosed && { rail: <IssueRail summary={summary.data} filters={filters} /> })}
      peek={
        peek.item && (
          <IssuePeek
            key={peek.item.id}
            issue={peek.item}
            onOpen={onOpen}
            onClose={peek.close}
            onAct={setDialog}
          />
        )
      }
    >
      <IssueRows
        query={query}
        sort={sort}
        isClosed={isClosed}
        isFiltered={filters.count > 0}
        peek={peek}
        onOpen={onOpen}
        onAct={setDialog}
      />
      {dialog && <IssueDialog {...dialog} onClose={() => setDialog(null)} />}
      <LazyDialog isOpen={isOpen}>
        <NewIssueDialog onClose={close} />
      </LazyDialog>
    </ListPage>
  )
}

function useOpenIssue() {
  const navigate = useNavigate()
  return useCallback(
    ({ id, project_id }: Pick<ListedIssue, 'id' | 'project_id'>) =>
      void navigate({
        to: '/projects/$project_id/issues/$issue_id',
        params: { project_id, issue_id: id },
        search: {},
        state: fromList,
      }),
    [navigate],
  )
}
