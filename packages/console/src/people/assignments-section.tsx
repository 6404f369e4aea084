import { Text } from '@mantine/core'
import type { Assignment, Person } from '@muster/contract'

import { useMissingScopeReason } from '#api/whoami.ts'
import { formatDay } from '#text/dates.ts'
import { t } from '#text/index.ts'
import { label, type LabelSet } from '#text/labels.ts'
import { ActionButton } from '#ui/action-button.tsx'
import { AnchorLink, IssueLink, RiskLink } from '#ui/links.tsx'
import { EmptyState, Section } from '#ui/page.tsx'
import { type Column, VirtualTable } from '#ui/virtual-table.tsx'

import { assignmentsSentence, useAssignments } from './assignments.ts'

const statusSets = {
  project: 'projectStatus',
  risk: 'riskStatus',
  issue: 'issueStatus',
  task: 'taskStatus',
} as const satisfies Record<Assignment['type'], LabelSet>

const columns: readonly Column<Assignment>[] = [
  {
    name: t('person.assigned.type'),
    width: '64px',
    isUnlabelled: true,
    cell: ({ type }) => label('assignment', type),
  },
  {
    name: t('person.assigned.what'),
    width: 'minmax(160px, 1fr)',
    isUnlabelled: true,
    cell: (assignment) => <AssignmentLink assignment={assignment} />,
  },
  {
    name: t('person.assigned.status'),
    width: '92px',
    cell: ({ type, status }) => label(statusSets[type], status),
  },
  {
    name: t('person.assigned.due'),
    width: '96px',
    cell: ({ due_on }) => due_on && formatDay(due_on),
  },
]

/** A task has no page of its own, so it links to its project. */
function AssignmentLink({
  assignment: { type, id, project_id, ref, title },
}: {
  readonly assignment: Assignment
}) {
  const name = `${ref} ${title}`
  if (type === 'risk') {
    return (
      <RiskLink id={id} project_id={project_id} inherit>
        {name}
      </RiskLink>
    )
  }
  if (type === 'issue') {
    return (
      <IssueLink id={id} project_id={project_id} inherit>
        {name}
      </IssueLink>
    )
  }
  return (
    <AnchorLink to="/projects/$project_id" params={{ project_id }} inherit>
      {name}
    </AnchorLink>
  )
}

interface Props {
  readonly person: Person
  readonly onHandOver: () => void
}

/** Assigned work, with the action that reassigns it. */
export function AssignmentsSection({ person, onHandOver }: Props) {
  const assignments = useAssignments(person.id)
  const missingScope = useMissingScopeReason('projects.manage')
  return (
    <Section
      title={t('person.assigned')}
      rightSection={
        <ActionButton
          size="compact-md"
          variant="default"
          reason={missingScope ?? (assignments.isEmpty ? t('person.nothing-assigned') : null)}
          onClick={onHandOver}
        >
          {t('person.reassign')}
        </ActionButton>
      }
    >
      {assignments.hiddenReason ? (
        <Text size="sm" className="wrap">
          {assignments.hiddenReason}
        </Text>
      ) : (
        <>
          {!assignments.isEmpty && (
            <Text size="sm" c="dimmed" mb="xs" className="wrap">
              {assignmentsSentence(person.name, assignments)}
            </Text>
          )}
          <VirtualTable
            label={t('person.assigned')}
            columns={columns}
            query={assignments.query}
            total={null}
            empty={
              <EmptyState
                title={t('person.assigned.none')}
                advice={t('person.assigned.none.about')}
              />
            }
          />
        </>
      )}
    </Section>
  )
}
