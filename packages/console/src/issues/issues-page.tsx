import { Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { lazyRouteComponent } from '@tanstack/react-router'

import { useMissingScopeReason } from '#api/whoami.ts'
import { t } from '#text/index.ts'
import { ActionButton } from '#ui/action-button.tsx'
import { useFilters } from '#ui/filters.ts'
import { LazyDialog } from '#ui/lazy-dialog.tsx'
import { Page } from '#ui/page.tsx'
import { ProblemNotice } from '#ui/problem.tsx'

import { AgeBoard } from './age-board.tsx'
import { issueFilterNames, IssueFilters } from './issue-filters.tsx'
import { IssueList } from './issue-list.tsx'
import { IssueTiles } from './issue-tiles.tsx'
import { issueSummaryQuery, openIssuePages } from './queries.ts'

const NewIssueDialog = lazyRouteComponent(() => import('./new-issue-dialog.tsx'), 'NewIssueDialog')

export function IssuesPage() {
  const filters = useFilters(issueFilterNames)
  const seesPeople = useMissingScopeReason('personnel.read') === null
  const reason = useMissingScopeReason('projects.manage')
  const [isAdding, { open, close }] = useDisclosure(false)
  const summary = useQuery(issueSummaryQuery(filters.values))
  const issues = useInfiniteQuery(openIssuePages(filters.values, seesPeople))
  return (
    <Page
      title={t('issues.title')}
      rightSection={
        <Text size="sm" c="dimmed">
          {t('issues.as-of-now')}
        </Text>
      }
      actions={
        <ActionButton onClick={open} reason={reason}>
          {t('issues.new')}
        </ActionButton>
      }
    >
      <IssueFilters filters={filters} />
      {summary.isError && !issues.isError && <ProblemNotice error={summary.error} />}
      <IssueTiles summary={summary.data} filters={filters} />
      <AgeBoard summary={summary.data} filters={filters} />
      <IssueList
        query={issues}
        total={summary.data?.count ?? null}
        isFiltered={filters.count > 0}
      />
      <LazyDialog isOpen={isAdding}>
        <NewIssueDialog onClose={close} />
      </LazyDialog>
    </Page>
  )
}
