import { Group, SimpleGrid } from '@mantine/core'
import type { Person } from '@muster/contract'

import { useMissingScopeReason } from '#api/whoami.ts'
import { formatAge, formatInstant } from '#text/dates.ts'
import { t } from '#text/index.ts'
import { label } from '#text/labels.ts'
import { ActionButton } from '#ui/action-button.tsx'
import { Fact, Section } from '#ui/page.tsx'

import { NoValue } from './details-section.tsx'
import { type StatusAction, statusReason } from './reasons.ts'

interface Props {
  readonly person: Person
  readonly onChange: (change: StatusAction) => void
}

const changes: readonly StatusAction[] = ['suspend', 'resume', 'depart', 'rejoin', 'erase']

/** The status of a person, its reason, and the actions that change it. */
export function StatusSection({ person, onChange }: Props) {
  const { status, status_reason, status_changed_at, assignable, erased_at } = person
  const missingScope = useMissingScopeReason('personnel.manage')
  return (
    <Section title={t('person.life')}>
      <SimpleGrid component="dl" m={0} cols={{ base: 1, xs: 2 }} spacing="sm">
        <Fact name={t('people.status')}>{label('personStatus', status)}</Fact>
        <Fact name={t('person.since')}>
          {formatInstant(status_changed_at)} ({formatAge(status_changed_at)})
        </Fact>
        <Fact name={t('person.reason')}>
          {status_reason ? <span className="prose">{status_reason}</span> : <NoValue />}
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
            reason={missingScope ?? statusReason(change, person)}
            onClick={() => onChange(change)}
          >
            {t(`person.${change}`)}
          </ActionButton>
        ))}
      </Group>
    </Section>
  )
}
