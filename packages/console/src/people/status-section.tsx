import { Group, SimpleGrid } from '@mantine/core'
import type { Person } from '@muster/contract'

import { useReasonAgainst } from '#api/whoami.ts'
import { formatAge, formatInstant } from '#text/dates.ts'
import { t } from '#text/index.ts'
import { label } from '#text/labels.ts'
import { ActionButton } from '#ui/action-button.tsx'
import { Fact, Section } from '#ui/page.tsx'

import { Unsaid } from './details-section.tsx'
import { type LifeChange, reasonInState } from './reasons.ts'

interface Props {
  readonly person: Person
  readonly onChange: (change: LifeChange) => void
}

const changes: readonly LifeChange[] = ['suspend', 'resume', 'depart', 'rejoin', 'erase']

/** Where someone is in their time here, why, and what can happen next. */
export function LifeSection({ person, onChange }: Props) {
  const { status, status_reason, status_changed_at, assignable, erased_at } = person
  const against = useReasonAgainst('personnel.manage')
  return (
    <Section title={t('person.life')}>
      <SimpleGrid component="dl" m={0} cols={{ base: 1, xs: 2 }} spacing="sm">
        <Fact name={t('people.status')}>{label('personStatus', status)}</Fact>
        <Fact name={t('person.since')}>
          {formatInstant(status_changed_at)} ({formatAge(status_changed_at)})
        </Fact>
        <Fact name={t('person.reason')}>
          {status_reason ? <span className="prose">{status_reason}</span> : <Unsaid />}
        </Fact>
        <Fact name={t('person.new-work')}>
          {t(assignable ? 'person.new-work.yes' : 'person.new-work.no')}
        </Fact>
        {erased_at && <Fact name={t('person.erased-on')}>{formatInstant(erased_at)}</Fact>}
      </SimpleGrid>
      <Group gap="xs" mt="md" className="no-print">
        {changes.map((change) => (
          <ActionButton
            key={change}
            size="compact-md"
            variant="default"
            reason={against ?? reasonInState(change, person)}
            onClick={() => onChange(change)}
          >
            {t(`person.${change}`)}
          </ActionButton>
        ))}
      </Group>
    </Section>
  )
}
