import type { Issue, IssuePatch } from '@muster/contract'

import { withToast } from '#data/change/resource.ts'
import { FieldProperty } from '#kit/fields/field-property.tsx'
import { Age } from '#kit/parts/age.tsx'
import { SeverityChip } from '#kit/parts/score.tsx'
import { ChoiceEditor, EditableProperty, Property } from '#kit/record/property.tsx'
import { ProjectLink } from '#kit/references/project-link.tsx'
import { useReasons } from '#kit/references/reasons.ts'
import { formatInstant } from '#text/dates.ts'
import { t } from '#text/index.ts'
import { choices } from '#text/labels.ts'

import { assignIssue, moveIssue, saveIssue } from './actions.ts'
import { issueFields } from './fields.ts'
import type { IssueActionProps } from './issue-actions.tsx'
import { useSeverities } from './severity.tsx'

const { status, type, assignee_user_id, due_on, tags, external_id } = issueFields
const openStatuses = choices('issueStatus').filter(({ value }) => value !== 'closed')

/** The properties of an issue. Each saves at once. */
export function IssueProperties({ issue, open }: IssueActionProps) {
  const { change, assign } = useReasons(issue)
  const isClosed = issue.status === 'closed'
  const property = {
    of: issue,
    reason: change,
    onSave: (changes: IssuePatch) => saveIssue(issue, changes),
  }
  return (
    <dl>
      <FieldProperty
        field={status}
        of={issue}
        reason={change ?? (isClosed ? t('issue.status.closed') : null)}
        offered={openStatuses}
        onSave={async ({ status: next = 'open' }: IssuePatch) =>
          next === 'blocked' ? open('block', issue) : moveIssue(issue, next)
        }
      />
      <Severity issue={issue} />
      <FieldProperty {...property} field={type} />
      <FieldProperty
        field={assignee_user_id}
        of={issue}
        reason={assign}
        onSave={({ assignee_user_id: id = null }: IssuePatch) => withToast(assignIssue(issue, id))}
      />
      <FieldProperty {...property} field={due_on} isDone={isClosed} />
      <Origin issue={issue} />
      <FieldProperty {...property} field={tags} />
      <FieldProperty {...property} field={external_id} />
    </dl>
  )
}

function Severity({ issue }: { readonly issue: Issue }) {
  const { change } = useReasons(issue)
  const severities = useSeverities()
  return (
    <EditableProperty
      name={t('issues.severity')}
      shortcut="l"
      reason={change}
      edit={(close) => (
        <ChoiceEditor
          label={t('issues.severity')}
          value={String(issue.severity)}
          choices={severities.map(({ rating, name }) => ({
            value: String(rating),
            label: `${rating} ${name}`,
          }))}
          onSave={(severity) => saveIssue(issue, { severity: Number(severity) })}
          close={close}
        />
      )}
    >
      <SeverityChip severity={issue.severity} />
      {severities.find(({ rating }) => rating === issue.severity)?.name}
    </EditableProperty>
  )
}

/** Where and when the issue was opened. */
function Origin({ issue }: { readonly issue: Issue }) {
  return (
    <>
      <Property name={t('word.project')}>
        <ProjectLink id={issue.project_id} />
      </Property>
      <Property name={t('word.opened')}>
        <Age at={issue.opened_at} />
      </Property>
      {issue.reopened_count > 0 && (
        <Property name={t('issue.reopened-count')}>
          {t('issue.reopened-times', { count: issue.reopened_count })}
        </Property>
      )}
      {issue.closed_at !== null && (
        <Property name={t('word.closed')}>{formatInstant(issue.closed_at)}</Property>
      )}
    </>
  )
}
