import { Button, Group, List, Loader, Text } from '@mantine/core'
import type { Issue, Risk } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { formatAge } from '#text/dates.ts'
import { t } from '#text/index.ts'
import { SeverityBadge, StatusBadge } from '#ui/level.tsx'
import { IssueLink } from '#ui/links.tsx'
import { EmptyState, Section } from '#ui/page.tsx'
import { ProblemNotice } from '#ui/problem.tsx'

import { riskIssues } from './queries.ts'

const shownFirst = 10

/** The issues that the risk led to. */
export function RiskIssues({ risk }: { readonly risk: Risk }) {
  const [issuesMax, setIssuesMax] = useState(shownFirst)
  const { data, error, isLoading } = useQuery(riskIssues(risk, issuesMax))
  const count = risk.issue_ids.length
  return (
    <Section title={t('risk.issues')}>
      {count === 0 && (
        <EmptyState title={t('risk.issues.none')} advice={t('risk.issues.none.about')} />
      )}
      {isLoading && <Loader size="sm" aria-label={t('page.loading')} />}
      {error && <ProblemNotice error={error} />}
      {data && count > 0 && (
        <List listStyleType="none" spacing="sm">
          {data.map((issue, place) => (
            <List.Item key={issue?.id ?? place}>
              {issue ? <IssueItem issue={issue} /> : t('risk.issues.elsewhere')}
            </List.Item>
          ))}
        </List>
      )}
      {count > issuesMax && (
        <Button variant="subtle" size="compact-sm" mt="sm" onClick={() => setIssuesMax(count)}>
          {t('risk.issues.all', { count })}
        </Button>
      )}
    </Section>
  )
}

function IssueItem({ issue }: { readonly issue: Issue }) {
  const { id, project_id, ref, title, severity, status, opened_at } = issue
  return (
    <>
      <IssueLink id={id} project_id={project_id} size="sm" className="wrap">
        {ref} {title}
      </IssueLink>
      <Group gap="xs">
        <SeverityBadge severity={severity}>{t('risk.issues.severity', { severity })}</SeverityBadge>
        <StatusBadge set="issueStatus" status={status} />
        <Text size="xs" c="dimmed" span>
          {formatAge(opened_at)}
        </Text>
      </Group>
    </>
  )
}
