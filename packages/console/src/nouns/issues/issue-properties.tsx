import type { Issue } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'

import { showError } from '#kit/feedback/toast.tsx'
import { Age } from '#kit/parts/age.tsx'
import { Tags } from '#kit/parts/flags.tsx'
import { AnchorLink } from '#kit/parts/links.tsx'
import { SeverityChip } from '#kit/parts/score.tsx'
import { StatusName } from '#kit/parts/status.tsx'
import { When } from '#kit/parts/when.tsx'
import {
  ChoiceEditor,
  DateEditor,
  EditableProperty,
  PersonEditor,
  Property,
  TagsEditor,
} from '#kit/record/property.tsx'
import { PersonById } from '#kit/references/people.tsx'
import { projectQuery } from '#kit/references/projects.ts'
import { useReasons } from '#kit/references/reasons.ts'
import { formatInstant } from '#text/dates.ts'
import { t } from '#text/index.ts'
import { choices, label } from '#text/labels.ts'

import { assignIssue, moveIssue, saveIssue } from './actions.ts'
import { useSeverities } from './severity.tsx'

interface Props {
  readonly issue: Issue
  /** Opens the dialog that asks for the blocking reason. */
  readonly onBlock: () => void
}

/** The properties of an issue. Each saves at once. */
export function IssueProperties({ issue, onBlock }: Props) {
  const { change, assign } = useReasons(issue)
  return (
    <dl>
      <Status issue={issue} onBlock={onBlock} />
      <Severity issue={issue} />
      <EditableProperty
        name={t('issue.type')}
        reason={change}
        edit={(close) => (
          <ChoiceEditor
            label={t('issue.type')}
            value={issue.type}
            choices={choices('issueType')}
            // The cast holds because only the values of the set are offered.
            onSave={(type) => saveIssue(issue, { type: type as Issue['type'] })}
            close={close}
          />
        )}
      >
        {label('issueType', issue.type)}
      </EditableProperty>
      <EditableProperty
        name={t('issues.assignee')}
        reason={assign}
        shortcut="a"
        edit={(close) => (
          <PersonEditor
            label={t('issues.assignee')}
            value={issue.assignee_user_id}
            onSave={(id) => assignIssue(issue, id).catch(showError)}
            close={close}
          />
        )}
      >
        <PersonById userId={issue.assignee_user_id} missing={t('issues.unassigned')} />
      </EditableProperty>
      <EditableProperty
        name={t('issues.due')}
        reason={change}
        shortcut="d"
        edit={(close) => (
          <DateEditor
            label={t('issues.due')}
            value={issue.due_on}
            onSave={(due_on) => saveIssue(issue, { due_on })}
            close={close}
          />
        )}
      >
        <When day={issue.due_on} isDone={issue.status === 'closed'} />
      </EditableProperty>
      <Origin issue={issue} />
      <EditableProperty
        name={t('issue.tags')}
        reason={change}
        edit={(close) => (
          <TagsEditor
            label={t('issue.tags')}
            value={issue.tags}
            onSave={(tags) => saveIssue(issue, { tags: [...new Set(tags)].toSorted() })}
            close={close}
          />
        )}
      >
        {issue.tags.length === 0 ? t('issue.none') : <Tags tags={issue.tags} />}
      </EditableProperty>
    </dl>
  )
}

function Status({ issue, onBlock }: Props) {
  const { change } = useReasons(issue)
  const move = (status: string) =>
    // The cast holds because only open statuses are offered.
    status === 'blocked' ? onBlock() : moveIssue(issue, status as 'open' | 'in_progress')
  return (
    <EditableProperty
      name={t('issues.status')}
      reason={change ?? (issue.status === 'closed' ? t('issue.status.closed') : null)}
      shortcut="s"
      edit={(close) => (
        <ChoiceEditor
          label={t('issues.status')}
          value={issue.status}
          choices={choices('issueStatus').filter(({ value }) => value !== 'closed')}
          onSave={move}
          close={close}
        />
      )}
    >
      <StatusName set="issueStatus" status={issue.status} />
    </EditableProperty>
  )
}

function Severity({ issue }: Pick<Props, 'issue'>) {
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
function Origin({ issue }: Pick<Props, 'issue'>) {
  const { data: project } = useQuery(projectQuery(issue.project_id))
  return (
    <>
      <Property name={t('issues.project')}>
        {project && (
          <AnchorLink to="/projects/$project_id" params={{ project_id: project.id }} inherit>
            {project.name}
          </AnchorLink>
        )}
      </Property>
      <Property name={t('issues.opened')}>
        <Age at={issue.opened_at} />
      </Property>
      {issue.reopened_count > 0 && (
        <Property name={t('issue.reopened-count')}>
          {t('issue.reopened-times', { count: issue.reopened_count })}
        </Property>
      )}
      {issue.closed_at !== null && (
        <Property name={t('issue.closed-at')}>{formatInstant(issue.closed_at)}</Property>
      )}
    </>
  )
}
