import type { Project } from '@muster/contract'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { lazyRouteComponent } from '@tanstack/react-router'
import { type ComponentType, type ReactNode } from 'react'

import { useMissingScopeReason } from '#data/whoami.ts'
import { ProblemNotice } from '#kit/feedback/problem.tsx'
import { useKeptState } from '#kit/form/draft.ts'
import { ActionButton } from '#kit/parts/action-button.tsx'
import { LazyDialog } from '#kit/parts/lazy-dialog.tsx'
import { AnchorLink, IssueLink, RiskLink } from '#kit/parts/links.tsx'
import { PersonName } from '#kit/parts/person.tsx'
import { ScoreChip, SeverityChip } from '#kit/parts/score.tsx'
import { StatusName } from '#kit/parts/status.tsx'
import { When } from '#kit/parts/when.tsx'
import { MiniRow, RecordSection } from '#kit/record/record-page.tsx'
import { NewIssueDialog } from '#nouns/issues/issue-dialogs.ts'
import { NewTaskDialog } from '#nouns/tasks/task-dialogs.ts'
import { TaskRow } from '#nouns/tasks/task-section.tsx'
import { formatNumber, t } from '#text/index.ts'

import { useReadOnlyReason } from './project-actions.tsx'
import { nextTasksQuery, projectSummaryQuery, topIssuesQuery, topRisksQuery } from './queries.ts'

import classes from './projects.module.css'

const NewRiskDialog = lazyRouteComponent(
  () => import('#nouns/risks/new-risk-dialog.tsx'),
  'NewRiskDialog',
)

interface Props {
  readonly project: Project
}

interface SectionProps extends Props {
  readonly title: string
  /** The number of live or open items; null if it is unknown. */
  readonly count: number | null
  readonly query: UseQueryResult
  /** The text if there are no items. */
  readonly none: string
  /** The complete list, and its view of the items that are not open. */
  readonly list: {
    readonly to: '/risks' | '/issues' | '/tasks'
    readonly text: string
    readonly past: { readonly view: string; readonly text: string }
  }
  /** The label of the add button and the dialog that it opens. */
  readonly add: {
    readonly text: string
    readonly Dialog: ComponentType<Props & { readonly onClose: () => void }>
  }
  /** The rows. */
  readonly children: readonly ReactNode[]
}

/** The first items of a list of the project, and links to all of them. */
function ItemSection(props: SectionProps) {
  const { project, title, count, query, none, list, add, children } = props
  const [isAdding, setAdding] = useKeptState(`project/add${list.to}`, false)
  const reason = useReadOnlyReason(project)
  return (
    <RecordSection
      title={title}
      aside={count !== null && formatNumber(count)}
      actions={
        <ActionButton
          variant="subtle"
          size="compact-sm"
          reason={reason}
          onClick={() => setAdding(true)}
        >
          {add.text}
        </ActionButton>
      }
    >
      {query.isError && <ProblemNotice error={query.error} onRetry={() => void query.refetch()} />}
      <ul>{children}</ul>
      {children.length === 0 && query.isSuccess && <p className={classes.none}>{none}</p>}
      <p className={classes.all}>
        <AnchorLink to={list.to} search={{ project_id: project.id }} inherit>
          {list.text}
        </AnchorLink>
        <AnchorLink to={list.to} search={{ view: list.past.view, project_id: project.id }} inherit>
          {list.past.text}
        </AnchorLink>
      </p>
      <LazyDialog isOpen={isAdding}>
        <add.Dialog project={project} onClose={() => setAdding(false)} />
      </LazyDialog>
    </RecordSection>
  )
}

const useSeesPeople = () => useMissingScopeReason('personnel.read') === null

export function RisksSection({ project }: Props) {
  const query = useQuery(topRisksQuery(project.id, useSeesPeople()))
  const summary = useQuery(projectSummaryQuery(project.id))
  return (
    <ItemSection
      project={project}
      title={t('risks.title')}
      count={summary.data?.live_risks ?? null}
      query={query}
      none={t('project.risks.none')}
      list={{
        to: '/risks',
        text: t('project.in-register'),
        past: { view: 'closed', text: t('project.closed-risks') },
      }}
      add={{ text: t('risks.new'), Dialog: NewRiskDialog }}
    >
      {(query.data?.data ?? []).map((risk) => (
        <MiniRow
          key={risk.id}
          glyph={<ScoreChip score={risk.score} level={risk.level} />}
          itemRef={risk.ref}
          title={<RiskLink item={risk} />}
          status={<StatusName set="riskStatus" status={risk.status} />}
          person={<PersonName name={risk.owner?.name ?? null} missing={t('word.no-owner')} />}
          when={<When day={risk.review_on} />}
        />
      ))}
    </ItemSection>
  )
}

export function IssuesSection({ project }: Props) {
  const query = useQuery(topIssuesQuery(project.id, useSeesPeople()))
  const summary = useQuery(projectSummaryQuery(project.id))
  return (
    <ItemSection
      project={project}
      title={t('issues.title')}
      count={summary.data?.open_issues ?? null}
      query={query}
      none={t('issues.none')}
      list={{
        to: '/issues',
        text: t('project.in-issues'),
        past: { view: 'closed', text: t('issues.closed') },
      }}
      add={{ text: t('issues.new'), Dialog: NewIssueDialog }}
    >
      {(query.data?.data ?? []).map((issue) => (
        <MiniRow
          key={issue.id}
          glyph={<SeverityChip severity={issue.severity} />}
          itemRef={issue.ref}
          title={<IssueLink item={issue} />}
          status={<StatusName set="issueStatus" status={issue.status} />}
          person={<PersonName name={issue.assignee?.name ?? null} />}
          when={<When day={issue.due_on} />}
        />
      ))}
    </ItemSection>
  )
}

export function TasksSection({ project }: Props) {
  const query = useQuery(nextTasksQuery(project.id))
  const reason = useReadOnlyReason(project)
  return (
    <ItemSection
      project={project}
      title={t('tasks.title')}
      count={query.data?.total_count ?? null}
      query={query}
      none={t('project.tasks.none')}
      list={{
        to: '/tasks',
        text: t('project.in-tasks'),
        past: { view: 'done', text: t('project.done-tasks') },
      }}
      add={{ text: t('tasks.new'), Dialog: NewTaskDialog }}
    >
      {(query.data?.data ?? []).map((task) => (
        <TaskRow key={task.id} task={task} reason={reason} />
      ))}
    </ItemSection>
  )
}
