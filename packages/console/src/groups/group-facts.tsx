import { Code, SimpleGrid, Text } from '@mantine/core'
import type { Group } from '@muster/contract'
import { Fragment } from 'react'

import { formatAge, formatInstant } from '#text/dates.ts'
import { t } from '#text/index.ts'
import { Fact, Section } from '#ui/page.tsx'
import { PersonLink, usePersonNames } from '#ui/people.tsx'

export function GroupFacts({ group }: { readonly group: Group }) {
  const names = usePersonNames(group.lead_user_ids)
  return (
    <Section title={t('group.facts')}>
      {group.description ? (
        <Text className="prose" mb="md">
          {group.description}
        </Text>
      ) : (
        <Text c="dimmed" mb="md">
          {t('group.no-description')}
        </Text>
      )}
      <SimpleGrid component="dl" cols={{ base: 1, xs: 2, md: 3 }} m={0} spacing="sm">
        <Fact name={t('groups.leads')}>
          <Leads ids={group.lead_user_ids} names={names} />
        </Fact>
        <Fact name={t('group.members-changed')}>
          <Moment at={group.members_changed_at} />
        </Fact>
        <Fact name={t('group.changed')}>
          <Moment at={group.updated_at} />
        </Fact>
        <Fact name={t('group.created-at')}>
          <Moment at={group.created_at} />
        </Fact>
        {group.external_id !== null && (
          <Fact name={t('group.external-id')}>{group.external_id}</Fact>
        )}
        <Fact name={t('group.id')}>
          <Code className="wrap">{group.id}</Code>
        </Fact>
        {Object.entries(group.metadata).map(([name, value]) => (
          <Fact key={name} name={t('group.metadata', { name })}>
            {value}
          </Fact>
        ))}
      </SimpleGrid>
    </Section>
  )
}

interface LeadsProps {
  readonly ids: readonly string[]
  readonly names: ReadonlyMap<string, string>
}

function Leads({ ids, names }: LeadsProps) {
  if (ids.length === 0) return <PersonLink userId={null} names={names} />
  return ids.map((id, index) => (
    <Fragment key={id}>
      {index > 0 && ', '}
      <PersonLink userId={id} names={names} />
    </Fragment>
  ))
}

function Moment({ at }: { readonly at: string }) {
  return (
    <span title={formatAge(at)}>
      <time dateTime={at}>{formatInstant(at)}</time>
    </span>
  )
}
