import { useQuery } from '@tanstack/react-query'
import { lazyRouteComponent } from '@tanstack/react-router'
import { useState } from 'react'

import { issueAddress } from '#data/addresses.ts'
import { cachedItems } from '#data/lists.ts'
import type { Search } from '#data/search.ts'
import { useCountsNote, useMissingScopeReason } from '#data/whoami.ts'
import { useCreateButton } from '#kit/form/create-button.tsx'
import { type ListAddress, useListQuery } from '#kit/list/list-query.ts'
import { RecordList } from '#kit/list/record-list.tsx'
import type { Selection } from '#kit/list/selection.ts'
import { ActionButton } from '#kit/parts/action-button.tsx'
import { LazyDialog } from '#kit/parts/lazy-dialog.tsx'
import { ButtonLink } from '#kit/parts/links.tsx'
import { EmptyState } from '#kit/parts/page.tsx'
import { t } from '#text/index.ts'

import { IssueRowActions } from './issue-actions.tsx'
import { closedColumns, openColumns } from './issue-columns.tsx'
import { NewIssueDialog, useIssueDialogs } from './issue-dialogs.ts'
import { issueGroupings, useIssueGroups } from './issue-groups.ts'
import { IssuePeek } from './issue-peek.tsx'
import { IssueRail } from './issue-rail.tsx'
import {
  issueSorts,
  type IssueView,
  useIssueFilters,
  useIssueView,
  useIssueViews,
} from './issue-views.ts'
import { issuePages, issueSummaryQuery, type ListedIssue } from './queries.ts'

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
  const isClosed = view === 'closed'
  const { path, ...shown } = isClosed ? closedList : openList
  const seesPeople = useMissingScopeReason('personnel.read') === null
  const canChange = useMissingScopeReason('projects.manage') === null && !isClosed
  const list = useListQuery({
    fields: useIssueFilters(view),
    sorts: issueSorts(view, seesPeople),
    viewQuery,
  })
  const { query, group, isFiltered } = list
  const overview = useQuery(issueSummaryQuery({}))
  const counts = useQuery({ ...issueSummaryQuery(list.filter), enabled: !isClosed })
  // A disabled query keeps the counts of the open issues.
  const summary = isClosed ? undefined : counts.data
  const groups = useIssueGroups({ by: isClosed ? '' : group, summary, query, seesPeople })
  const { open, dialog } = useIssueDialogs('issues/opened')
  return (
    <RecordList<ListedIssue>
      title={t('issues.title')}
      note={useCountsNote()}
      list={list}
      views={useIssueViews(overview.data)}
      file={{ path, name: 'issues' }}
      print={{ path: '/print/issues', query: isClosed ? { view } : {} }}
      groupings={isClosed ? [] : issueGroupings}
      create={useCreateButton(newIssue)}
      rail={isClosed ? undefined : <IssueRail summary={summary} filters={list.filters} />}
      rows={{
        ...shown,
        nameOf: ({ ref }) => ref,
        ...rankOptions(list, isClosed),
        actions: (issue) => <IssueRowActions issue={issue} open={open} />,
        empty: <NoIssues isFiltered={isFiltered} isClosed={isClosed} />,
      }}
      pages={issuePages(isClosed, query, seesPeople)}
      total={summary?.count ?? null}
      groups={groups && { ...groups, source: counts }}
      linkTo={issueAddress}
      peek={(props) => <IssuePeek key={props.item.id} {...props} open={open} />}
      bulk={canChange ? (selection) => <BulkActions selection={selection} /> : null}
    >
      {dialog}
    </RecordList>
  )
}

const openList = { path: '/v1/issues', label: t('issues.list'), columns: openColumns }
const closedList = { path: '/v1/issues/closed', label: t('issues.closed'), columns: closedColumns }

/** In another order, a row shows the rank instead of its place. Closed issues have none. */
const rankOptions = ({ sort }: ListAddress, isClosed: boolean) =>
  !isClosed && sort.query['sort'] ? { rankOf: ({ rank = 0 }: ListedIssue) => rank } : {}

const newIssue = {
  noun: 'issue',
  label: t('issues.new'),
  scope: 'projects.manage',
  Dialog: NewIssueDialog,
} as const

const bulkDialogs = () => import('./verb-dialogs.tsx')
const AssignIssuesDialog = lazyRouteComponent(bulkDialogs, 'AssignIssuesDialog')
const CloseIssuesDialog = lazyRouteComponent(bulkDialogs, 'CloseIssuesDialog')

function BulkActions({ selection }: { readonly selection: Selection }) {
  const [name, setName] = useState<'assign' | 'close' | null>(null)
  const Dialog = name === 'assign' ? AssignIssuesDialog : CloseIssuesDialog
  return (
    <>
      <ActionButton onClick={() => setName('assign')}>{t('word.assign-menu')}</ActionButton>
      <ActionButton onClick={() => setName('close')}>{t('word.close-menu')}</ActionButton>
      <LazyDialog isOpen={name !== null}>
        <Dialog
          issues={cachedItems<ListedIssue>('issues', selection.ids)}
          onClose={() => setName(null)}
          onDone={selection.clear}
        />
      </LazyDialog>
    </>
  )
}

interface NoIssuesProps {
  readonly isFiltered: boolean
  readonly isClosed: boolean
}

function NoIssues({ isFiltered, isClosed }: NoIssuesProps) {
  if (isFiltered)
    return <EmptyState title={t('issues.no-match')} advice={t('issues.no-match.about')} />
  if (isClosed)
    return <EmptyState title={t('issues.closed.none')} advice={t('issues.closed.none.about')} />
  return (
    <EmptyState title={t('issues.none')} advice={t('issues.none.about')}>
      <ButtonLink to="/projects" search={{}} variant="default">
        {t('issues.none.projects')}
      </ButtonLink>
    </EmptyState>
  )
}
