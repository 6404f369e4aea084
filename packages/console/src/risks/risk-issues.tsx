import { Button, Group, List, Loader, Text } from '@mantine/core'
import type { Issue, Risk } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { formatAge } from '#text/dates.ts'
import { t } from '#text/index.ts'
import { SeverityBadge, StatusBadge } from '#ui/level.tsx'
import { IssueLink } from '#ui/links.tsx'
import { Empty, Section } from '#ui/page.tsx'
import { ProblemNotice } from '#ui/problem.tsx'

import { riskIssues } from './queries.ts'

const shownFirst = 10

/** What became of it when it came true. */
export function RiskIssues({ risk }: { readonly risk: Risk }) {
  const [most, setMost] = useState(shownFirst)
  const { data, error, isLoading } = useQuery(riskIssues(risk, most))
  const count = risk.issue_ids.length
  return (
    <Section title={t('risk.issues')}>
      {count === 0 && <Empty title={t('risk.issues.none')} advice={t('risk.issues.none.about')} />}
      {isLoading && <Loader size="sm" aria-label={t('page.loading')} />}
      {error && <ProblemNotice error={error} />}
      {data && count > 0 && (
        <List listStyleType="none" spacing="sm">
          {data.map((issue, place) => (
            <List.Item key={issue?.id ?? place}>
              {issue ? <OneIssue issue={issue} /> : t('risk.issues.elsewhere')}
            </List.Item>
          ))}
        </List>
      )}
      {count > most && (
        <Button variant="subtle" size="compact-sm" mt="sm" onClick={() => setMost(count)}>
          {t('risk.issues.all', { count })}
        </Button>
      )}
    </Section>
  )
}

function OneIssue({ issue }: { readonly issue: Issue }) {
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
