import { Text } from '@mantine/core'
import type { Issue } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'

import { riskQuery } from '#risks/queries.ts'
import { formatAge, formatDay, formatInstant } from '#text/dates.ts'
import { t } from '#text/index.ts'
import { label } from '#text/labels.ts'
import { Flags, SeverityBadge } from '#ui/level.tsx'
import { AnchorLink, RiskLink } from '#ui/links.tsx'
import { Fact, Section } from '#ui/page.tsx'
import { PersonLink, usePersonNames } from '#ui/people.tsx'

import { useSeverities } from './severity.tsx'

import classes from './issue-facts.module.css'

interface Props {
  readonly issue: Issue
}

export function IssueFacts({ issue }: Props) {
  const names = usePersonNames([issue.assignee_user_id])
  const severity = useSeverities().find(({ rating }) => rating === issue.severity)
  return (
    <Section title={t('issue.about')}>
      {issue.description && (
        <Text className="prose" mb="md">
          {issue.description}
        </Text>
      )}
      <dl className={classes.facts}>
        <Fact name={t('issues.severity')}>
          <SeverityBadge severity={issue.severity} /> {severity?.name}
        </Fact>
        <Fact name={t('issues.status')}>{label('issueStatus', issue.status)}</Fact>
        <Fact name={t('issue.type')}>{label('issueType', issue.type)}</Fact>
        <Fact name={t('issues.assignee')}>
          <PersonLink userId={issue.assignee_user_id} names={names} />
        </Fact>
        <Fact name={t('issues.due')}>
          {issue.due_on ? formatDay(issue.due_on) : t('issue.none')}{' '}
          <Flags set="issueFlag" flags={issue.flags} />
        </Fact>
        <Fact name={t('issues.opened')}>
          {t('issue.opened', {
            age: formatAge(issue.opened_at),
            instant: formatInstant(issue.opened_at),
          })}
        </Fact>
        <Fact name={t('issue.reopened-count')}>
          {t('issue.reopened-times', { count: issue.reopened_count })}
        </Fact>
        <Fact name={t('issue.tags')}>
          <Tags tags={issue.tags} />
        </Fact>
        {issue.risk_id && (
          <Fact name={t('issue.risk')}>
            <CausingRisk project_id={issue.project_id} id={issue.risk_id} />
          </Fact>
        )}
        <BlockedReason issue={issue} />
        <ClosingDetails issue={issue} />
        <Metadata issue={issue} />
      </dl>
    </Section>
  )
}

/** Each tag links to the open issues with the same tag. */
function Tags({ tags }: { readonly tags: readonly string[] }) {
  if (tags.length === 0) return t('issue.none')
  return tags.map((tag, index) => (
    <span key={tag}>
      {index > 0 && ', '}
      <AnchorLink to="/issues" search={{ tag }} inherit>
        {tag}
      </AnchorLink>
    </span>
  ))
}

/** The risk stays in its project if the issue is transferred to another one. */
function CausingRisk(riskRef: { readonly project_id: string; readonly id: string }) {
  const { data: risk, isError } = useQuery(riskQuery(riskRef))
  if (isError) return t('issue.risk.elsewhere')
  if (!risk) return '…'
  return (
    <RiskLink id={riskRef.id} project_id={riskRef.project_id} inherit>
      {risk.ref} {risk.title}
    </RiskLink>
  )
}

function BlockedReason({ issue: { status, blocked_reason } }: Props) {
  if (status !== 'blocked') return null
  return (
    <Fact name={t('issue.blocked-reason')}>
      <span className="prose">{blocked_reason ?? t('issue.none')}</span>
    </Fact>
  )
}

function ClosingDetails({ issue: { close_reason, close_note, closed_at } }: Props) {
  return (
    <>
      {closed_at && <Fact name={t('issue.closed-at')}>{formatInstant(closed_at)}</Fact>}
      {close_reason && (
        <Fact name={t('issue.close-reason')}>{label('issueCloseReason', close_reason)}</Fact>
      )}
      {close_note && (
        <Fact name={t('issue.close-note')}>
          <span className="prose">{close_note}</span>
        </Fact>
      )}
    </>
  )
}

function Metadata({ issue: { metadata } }: Props) {
  const entries = Object.entries(metadata)
  if (entries.length === 0) return null
  return (
    <Fact name={t('issue.metadata')}>
      <span className="prose">
        {entries.map(([name, value]) => `${name}: ${value}`).join('\n')}
      </span>
    </Fact>
  )
}
