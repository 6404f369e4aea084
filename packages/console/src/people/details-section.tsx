import { SimpleGrid, Text } from '@mantine/core'
import type { Person } from '@muster/contract'
import type { ReactNode } from 'react'

import { formatDay, formatInstant } from '#text/dates.ts'
import { t } from '#text/index.ts'
import { Fact, Section } from '#ui/page.tsx'
import { PersonLink, usePersonNames } from '#ui/people.tsx'

import { EmailLink } from './email-link.tsx'

interface FactItem {
  readonly name: string
  readonly value: ReactNode
}

export function DetailsSection({ person }: { readonly person: Person }) {
  const names = usePersonNames([person.manager_user_id])
  const facts: readonly FactItem[] = [
    { name: t('people.email'), value: person.email && <EmailLink email={person.email} /> },
    { name: t('people.phone'), value: person.phone },
    { name: t('people.job'), value: person.title },
    { name: t('people.department'), value: person.department },
    {
      name: t('people.manager'),
      value: <PersonLink userId={person.manager_user_id} names={names} />,
    },
    { name: t('people.time-zone'), value: person.time_zone },
    { name: t('people.start-on'), value: person.start_on && formatDay(person.start_on) },
    { name: t('people.end-on'), value: person.end_on && formatDay(person.end_on) },
    { name: t('people.external-id'), value: person.external_id },
    { name: t('person.user-id'), value: person.user_id },
    { name: t('person.added-on'), value: formatInstant(person.created_at) },
    { name: t('person.changed-on'), value: formatInstant(person.updated_at) },
  ]
  const metadata = Object.entries(person.metadata).map(([name, value]) => ({ name, value }))
  return (
    <Section title={t('person.details')}>
      <Facts facts={facts} />
      {metadata.length > 0 && (
        <>
          <Text fw={600} size="sm" mt="md" mb="xs" id="metadata">
            {t('person.metadata')}
          </Text>
          <Facts facts={metadata} labelledBy="metadata" />
        </>
      )}
    </Section>
  )
}

interface FactsProps {
  readonly facts: readonly FactItem[]
  readonly labelledBy?: string
}

function Facts({ facts, labelledBy }: FactsProps) {
  return (
    <SimpleGrid
      component="dl"
      m={0}
      cols={{ base: 1, xs: 2 }}
      spacing="sm"
      verticalSpacing="sm"
      aria-labelledby={labelledBy}
    >
      {facts.map(({ name, value }) => (
        <Fact key={name} name={name}>
          {value || <NoValue />}
        </Fact>
      ))}
    </SimpleGrid>
  )
}

export function NoValue() {
  return (
    <Text span inherit c="dimmed">
      {t('person.not-set')}
    </Text>
  )
}
