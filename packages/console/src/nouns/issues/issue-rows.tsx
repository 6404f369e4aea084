import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'

import { cachedItems } from '#data/lists.ts'
import type { Search } from '#data/search.ts'
import { useMissingScopeReason } from '#data/whoami.ts'
import { BulkBar } from '#kit/list/bulk-bar.tsx'
import { GroupedList, type PagedQuery } from '#kit/list/grouped-list.tsx'
import { List, type ListOptions } from '#kit/list/list.tsx'
import { type Selection, useSelection } from '#kit/list/selection.ts'
import type { ListSort } from '#kit/list/sort.ts'
import type { Peeked } from '#kit/list/use-peek.ts'
import { ActionButton } from '#kit/parts/action-button.tsx'
import { t } from '#text/index.ts'

import { closedColumns, openColumns } from './issue-columns.tsx'
import { type BulkDialogName, BulkIssueDialog, type OpenDialog } from './issue-dialogs.tsx'
import { useIssueGroups } from './issue-groups.ts'
import { NoIssues } from './no-issues.tsx'
import { closedIssuePages, issueSummaryQuery, type ListedIssue, openIssuePages } from './queries.ts'
import { IssueRowActions } from './row-actions.tsx'

interface Props {
  readonly query: Search
  readonly sort: ListSort
  readonly isClosed: boolean
  readonly isFiltered: boolean
  readonly peek: Peeked<ListedIssue>
  readonly onOpen: (issue: ListedIssue) => void
  /** Opens a dialog about an issue. */
  readonly onAct: (dialog: OpenDialog) => void
}

const openOptions = { label: t('issues.list'), columns: openColumns }
const closedOptions = { label: t('issues.closed'), columns: closedColumns }

/** The issues of the page in one list or in groups, with the actions for selected ones. */
export function IssueRows({ sort, isClosed, isFiltered, peek, onOpen, onAct, ...props }: Props) {
  const query = { ...props.query, ...sort.query }
  const seesPeople = useMissingScopeReason('personnel.read') === null
  const canChange = useMissingScopeReason('projects.manage') === null && !isClosed
  const { group = '' } = useSearch({ strict: false }) as Search
  const counts = useQuery({ ...issueSummaryQuery(props.query), enabled: !isClosed })
  const summary = counts.data
  const groups = useIssueGroups({ by: isClosed ? '' : group, summary, query, seesPeople })
  const selection = useSelection()
  const options = {
    ...(isClosed ? closedOptions : openOptions),
    nameOf: ({ ref }: ListedIssue) => ref,
    ...sortOptions(sort, isClosed),
    selection: canChange ? selection : undefined,
    actions: (issue: ListedIssue) => <IssueRowActions issue={issue} onAct={onAct} />,
    peekedId: peek.item?.id ?? null,
    onPeek: peek.onPeek,
    onOpen,
    empty: <NoIssues isFiltered={isFiltered} isClosed={isClosed} />,
  }
  return (
    <>
      {groups === null ? (
        <AllIssues
          {...options}
          pages={(isClosed ? closedIssuePages : openIssuePages)(query, seesPeople)}
          total={summary?.count ?? null}
        />
      ) : (
        <GroupedList {...options} {...groups} source={counts} />
      )}
      <IssueBulkBar selection={selection} />
    </>
  )
}

const rankOf = ({ rank = 0 }: ListedIssue) => rank

/** In another order, a row shows the rank instead of its place. Closed issues have none. */
const sortOptions = (sort: ListSort, isClosed: boolean) => ({
  sort,
  ...(!isClosed && sort.query['sort'] && { rankOf }),
})

interface AllProps extends ListOptions<ListedIssue> {
  readonly pages: PagedQuery<ListedIssue>
  readonly total: number | null
}

function AllIssues({ pages, total, ...options }: AllProps) {
  const issues = useInfiniteQuery({ ...pages, placeholderData: keepPreviousData })
  return <List {...options} query={issues} source={pages} total={total} />
}

function IssueBulkBar({ selection }: { readonly selection: Selection }) {
  const [dialog, setDialog] = useState<BulkDialogName | null>(null)
  return (
    <BulkBar selection={selection}>
      <ActionButton onClick={() => setDialog('assign')}>{t('issue.assign.many')}</ActionButton>
      <ActionButton onClick={() => setDialog('close')}>{t('issue.close.many')}</ActionButton>
      <BulkIssueDialog
        name={dialog}
        issues={cachedItems<ListedIssue>('issues', selection.ids)}
        onClose={() => setDialog(null)}
        onDone={selection.clear}
      />
    </BulkBar>
  )
}
