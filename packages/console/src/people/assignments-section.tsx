import { Text } from '@mantine/core'
import type { Assignment, Person } from '@muster/contract'

import { useReasonAgainst } from '#api/whoami.ts'
import { formatDay } from '#text/dates.ts'
import { t } from '#text/index.ts'
import { label, type LabelSet } from '#text/labels.ts'
import { ActionButton } from '#ui/action-button.tsx'
import { AnchorTo, IssueLink, RiskLink } from '#ui/links.tsx'
import { Empty, Section } from '#ui/page.tsx'
import { type Column, RankedList } from '#ui/ranked-list.tsx'

import { heldSentence, useHeld } from './held.ts'

const statusSets = {
  project: 'projectStatus',
  risk: 'riskStatus',
  issue: 'issueStatus',
  task: 'taskStatus',
} as const satisfies Record<Assignment['type'], LabelSet>

const columns: readonly Column<Assignment>[] = [
  {
    name: t('person.holds.type'),
    width: '64px',
    isPlain: true,
    cell: ({ type }) => label('assignment', type),
  },
  {
    name: t('person.holds.what'),
    width: 'minmax(160px, 1fr)',
    isPlain: true,
    cell: (held) => <HeldLink held={held} />,
  },
  {
    name: t('person.holds.status'),
    width: '92px',
    cell: ({ type, status }) => label(statusSets[type], status),
  },
  {
    name: t('person.holds.due'),
    width: '96px',
    cell: ({ due_on }) => due_on && formatDay(due_on),
  },
]

/** A task has no page of its own: it is on that of its project. */
function HeldLink({ held: { type, id, project_id, ref, title } }: { readonly held: Assignment }) {
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
    <AnchorTo to="/projects/$project_id" params={{ project_id }} inherit>
      {name}
    </AnchorTo>
  )
}

interface Props {
  readonly person: Person
  readonly onHandOver: () => void
}

/** What is in someone's hands, and how it gets out of them. */
export function HeldSection({ person, onHandOver }: Props) {
  const held = useHeld(person.id)
  const against = useReasonAgainst('projects.manage')
  return (
    <Section
      title={t('person.holds')}
      beside={
        <ActionButton
          size="compact-md"
          variant="default"
          reason={against ?? (held.isNothing ? t('person.holds-nothing') : null)}
          onClick={onHandOver}
        >
          {t('person.reassign')}
        </ActionButton>
      }
    >
      {held.unseen ? (
        <Text size="sm" className="wrap">
          {held.unseen}
        </Text>
      ) : (
        <>
          {!held.isNothing && (
            <Text size="sm" c="dimmed" mb="xs" className="wrap">
              {heldSentence(person.name, held)}
            </Text>
          )}
          <RankedList
            label={t('person.holds')}
            columns={columns}
            query={held.query}
            total={null}
            empty={
              <Empty title={t('person.holds.nothing')} advice={t('person.holds.nothing.about')} />
            }
          />
        </>
      )}
    </Section>
  )
}
