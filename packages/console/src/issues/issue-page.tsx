import { Grid, Stack } from '@mantine/core'
import type { Issue } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'

import { TaskSection } from '#tasks/task-section.tsx'
import { t } from '#text/index.ts'
import { ActionButton } from '#ui/action-button.tsx'
import { StatusBadge } from '#ui/level.tsx'
import { AnchorLink } from '#ui/links.tsx'
import { PagePending } from '#ui/page-states.tsx'
import { Page } from '#ui/page.tsx'
import { ProblemNotice } from '#ui/problem.tsx'
import { projectQuery } from '#ui/projects.ts'

import { IssueDialog, type IssueDialogName } from './issue-dialogs.tsx'
import { IssueFacts } from './issue-facts.tsx'
import { IssueHistory } from './issue-history.tsx'
import { issueQuery } from './queries.ts'
import { useReasons } from './reasons.ts'
import { StatusButtons } from './status-buttons.tsx'

export function IssuePage() {
  const { project_id = '', issue_id: id = '' } = useParams({ strict: false })
  const { data: issue, error, isError } = useQuery(issueQuery({ project_id, id }))
  if (issue) return <IssueDetails key={issue.id} issue={issue} />
  if (!isError) return <PagePending />
  return (
    <Page title={t('issue.title')} breadcrumbs={[<IssuesLink key="issues" />]}>
      <ProblemNotice error={error} />
    </Page>
  )
}

const IssuesLink = () => (
  <AnchorLink to="/issues" search={{}} size="sm">
    {t('issues.title')}
  </AnchorLink>
)

function IssueDetails({ issue }: { readonly issue: Issue }) {
  const [dialog, setDialog] = useState<IssueDialogName | null>(null)
  const reasons = useReasons(issue)
  const { data: project } = useQuery(projectQuery(issue.project_id))
  const actions = [
    { name: 'edit', text: t('issue.edit'), reason: reasons.change },
    { name: 'assign', text: t('issue.assign'), reason: reasons.assign },
    { name: 'reopen', text: t('issue.reopen'), reason: reasons.reopen },
    { name: 'close', text: t('issue.close'), reason: reasons.close },
  ] as const
  return (
    <Page
      title={`${issue.ref} ${issue.title}`}
      rightSection={<StatusBadge set="issueStatus" status={issue.status} />}
      breadcrumbs={[
        <IssuesLink key="issues" />,
        <AnchorLink
          key="project"
          to="/projects/$project_id"
          params={{ project_id: issue.project_id }}
          size="sm"
          className="wrap"
        >
          {project?.name ?? issue.project_id}
        </AnchorLink>,
      ]}
      actions={actions.map(({ name, text, reason }) => (
        <ActionButton
          key={name}
          variant={name === 'close' ? 'filled' : 'default'}
          reason={reason}
          onClick={() => setDialog(name)}
        >
          {text}
        </ActionButton>
      ))}
    >
      <StatusButtons issue={issue} reason={reasons.move} onBlock={() => setDialog('block')} />
      <Grid gap="md">
        <Grid.Col span={{ base: 12, lg: 8 }}>
          <Stack>
            <IssueFacts issue={issue} />
            <TaskSection
              title={t('issue.tasks')}
              subject={issue}
              defaultAssignee={issue.assignee_user_id}
              reason={reasons.change}
            />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 4 }}>
          <IssueHistory issue={issue} />
        </Grid.Col>
      </Grid>
      <IssueDialog name={dialog} issue={issue} onClose={() => setDialog(null)} />
    </Page>
  )
}
