import type { Issue } from '@muster/contract'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'

import { projectAddress, issueAddress } from '#data/addresses.ts'
import { useAuthorNames, useMissingScopeReason } from '#data/whoami.ts'
import { ActionButton } from '#kit/parts/action-button.tsx'
import { Age } from '#kit/parts/age.tsx'
import { SeverityChip } from '#kit/parts/score.tsx'
import { StatusName } from '#kit/parts/status.tsx'
import { When } from '#kit/parts/when.tsx'
import { Activity } from '#kit/record/activity.tsx'
import { LinksSection } from '#kit/record/links-section.tsx'
import { Neighbours } from '#kit/record/neighbours.tsx'
import { MetadataSection } from '#kit/record/property.tsx'
import { RecordHead, RecordNotice, RecordPage } from '#kit/record/record-page.tsx'
import { RecordRoute } from '#kit/record/record-route.tsx'
import { PersonById } from '#kit/references/people.tsx'
import { projectQuery } from '#kit/references/projects.ts'
import { useReasons } from '#kit/references/reasons.ts'
import { useTaskFacts } from '#nouns/tasks/task-facts.tsx'
import { TaskSection } from '#nouns/tasks/task-section.tsx'
import { t } from '#text/index.ts'
import { label } from '#text/labels.ts'

import { editIssue, issueQuery } from './actions.ts'
import { IssueMenu, primaryOf } from './issue-actions.tsx'
import { useIssueDialogs } from './issue-dialogs.ts'
import { IssueProperties } from './issue-properties.tsx'
import { issueHistory, issuePages } from './queries.ts'
import { useSeverities } from './severity.tsx'
import { SourceRisk } from './source-risk.tsx'

export function IssuePage() {
  const { project_id = '', issue_id: id = '' } = useParams({ strict: false })
  return (
    <RecordRoute query={issueQuery({ project_id, id })} title={t('word.issue')} crumbs={[list]}>
      {(issue) => <IssueRecord key={issue.id} issue={issue} />}
    </RecordRoute>
  )
}

const list = { to: '/issues', text: t('issues.title') } as const

interface Props {
  readonly issue: Issue
}

function IssueRecord({ issue }: Props) {
  const { open, dialog } = useIssueDialogs('issue/opened')
  const { change } = useReasons(issue)
  const { data: project } = useQuery(projectQuery(issue.project_id))
  const history = useInfiniteQuery(issueHistory(issue, useAuthorNames()))
  const seesPeople = useMissingScopeReason('personnel.read') === null
  const primary = primaryOf(issue)
  return (
    <RecordPage
      title={`${issue.ref} ${issue.title}`}
      crumbs={[list, { ...projectAddress({ id: issue.project_id }), text: project?.name ?? '…' }]}
      name={issue.ref}
      neighbours={
        <Neighbours
          id={issue.id}
          source={issuePages(false, {}, seesPeople)}
          linkTo={issueAddress}
        />
      }
      actions={
        <>
          <IssueMenu issue={issue} open={open} />
          <ActionButton variant="filled" reason={change} onClick={() => open(primary, issue)}>
            {t(`issue.${primary}.full`)}
          </ActionButton>
        </>
      }
      properties={
        <>
          <IssueProperties issue={issue} open={open} />
          <MetadataSection metadata={issue.metadata} />
        </>
      }
    >
      <Head issue={issue} />
      <TaskSection
        title={t('tasks.title')}
        subject={issue}
        defaultAssignee={issue.assignee_user_id}
        reason={change}
      />
      {issue.risk_id !== null && <SourceRisk project_id={issue.project_id} id={issue.risk_id} />}
      <LinksSection
        links={issue.links}
        reason={change}
        onSave={(links) => editIssue(issue, { links })}
      />
      <Activity
        query={history}
        names={new Map(project && [[project.id, project.name]])}
        facts={useTaskFacts(issue.id)}
      />
      {dialog}
    </RecordPage>
  )
}

function Head({ issue }: Props) {
  const severity = useSeverities().find(({ rating }) => rating === issue.severity)
  const { status, blocked_reason, close_reason, close_note } = issue
  return (
    <>
      <RecordHead
        over={
          <>
            {issue.ref}
            <SeverityChip severity={issue.severity}>
              {`${issue.severity} ${severity?.name ?? ''}`}
            </SeverityChip>
            <span>
              {t('word.opened')} <Age at={issue.opened_at} />
            </span>
          </>
        }
        title={issue.title}
        description={issue.description}
        facts={
          <>
            <StatusName set="issueStatus" status={status} />
            <PersonById userId={issue.assignee_user_id} missing={t('word.unassigned')} />
            <When day={issue.due_on} isDone={status === 'closed'} />
          </>
        }
      />
      {status === 'blocked' && blocked_reason !== null && (
        <RecordNotice>
          <b>{label('issueStatus', 'blocked')}</b> {blocked_reason}
        </RecordNotice>
      )}
      {close_reason !== null && (
        <RecordNotice>
          <b>{label('issueCloseReason', close_reason)}</b> {close_note}
        </RecordNotice>
      )}
    </>
  )
}
