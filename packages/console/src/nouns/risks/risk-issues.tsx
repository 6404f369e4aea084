import { Button } from '@mantine/core'
import type { Issue, Risk } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { ProblemNotice } from '#kit/feedback/problem.tsx'
import { IssueLink } from '#kit/parts/links.tsx'
import { SeverityChip } from '#kit/parts/score.tsx'
import { When } from '#kit/parts/when.tsx'
import { MiniRow, RecordEmpty, RecordSection } from '#kit/record/record-page.tsx'
import { PersonById } from '#kit/references/people.tsx'
import { t } from '#text/index.ts'
import { label } from '#text/labels.ts'

import { riskIssues } from './queries.ts'

const shownFirst = 10

/** The issues that the risk led to. */
export function RiskIssues({ risk }: { readonly risk: Risk }) {
  const [issuesMax, setIssuesMax] = useState(shownFirst)
  const { data = [], error } = useQuery(riskIssues(risk, issuesMax))
  const count = risk.issue_ids.length
  const ids = risk.issue_ids.toReversed()
  return (
    <RecordSection title={t('issues.title')}>
      {count === 0 && <RecordEmpty>{t('risk.issues.none')}</RecordEmpty>}
      {error && <ProblemNotice error={error} />}
      <ul>
        {data.map((issue, at) =>
          issue ? (
            <IssueRow key={issue.id} issue={issue} />
          ) : (
            <li key={ids[at]}>{t('risk.issues.elsewhere')}</li>
          ),
        )}
      </ul>
      {count > issuesMax && (
        <Button variant="subtle" mt="sm" onClick={() => setIssuesMax(count)}>
          {t('risk.issues.all', { count })}
        </Button>
      )}
    </RecordSection>
  )
}

const IssueRow = ({ issue }: { readonly issue: Issue }) => (
  <MiniRow
    glyph={<SeverityChip severity={issue.severity} />}
    itemRef={issue.ref}
    title={<IssueLink item={issue} />}
    status={label('issueStatus', issue.status)}
    person={<PersonById userId={issue.assignee_user_id} />}
    when={<When day={issue.due_on} isDone={issue.status === 'closed'} />}
    isDone={issue.status === 'closed'}
  />
)
