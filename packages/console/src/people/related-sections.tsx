import { List, Text } from '@mantine/core'
import type { Person } from '@muster/contract'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'

import { useMissingScopeReason } from '#api/whoami.ts'
import { t } from '#text/index.ts'
import { AnchorLink } from '#ui/links.tsx'
import { Section } from '#ui/page.tsx'
import { ProblemNotice } from '#ui/problem.tsx'
import { Timeline } from '#ui/timeline.tsx'

import { GroupLink } from './group-links.tsx'
import { groupNamesQuery, personHistory, reportsQuery } from './queries.ts'

interface Props {
  readonly person: Person
}

/** The first direct reports, with a link to all. */
export function ReportsSection({ person }: Props) {
  const { data, error } = useQuery(reportsQuery(person))
  return (
    <Section title={t('person.reports')}>
      {error && <ProblemNotice error={error} />}
      {data?.count === 0 && <Text size="sm">{t('person.reports.none')}</Text>}
      {data && data.count > 0 && (
        <List listStyleType="none" spacing={6} size="sm">
          {data.data.map(({ id, name, title }) => (
            <List.Item key={id} className="wrap">
              <AnchorLink to="/people/$user_id" params={{ user_id: id }} inherit>
                {name}
              </AnchorLink>{' '}
              <Text span c="dimmed" inherit>
                {title}
              </Text>
            </List.Item>
          ))}
        </List>
      )}
      {data && data.next_cursor !== null && (
        <Text size="sm" mt="xs">
          <AnchorLink to="/people" search={{ manager_user_id: person.id }} inherit>
            {data.total_count
              ? t('person.reports.all', { count: data.total_count })
              : t('person.reports.many')}
          </AnchorLink>
        </Text>
      )}
    </Section>
  )
}

export function GroupsSection({ person: { group_ids } }: Props) {
  return (
    <Section title={t('people.groups')}>
      {group_ids.length === 0 ? (
        <Text size="sm">
          {t('person.groups.none')}{' '}
          <AnchorLink to="/groups" search={{}} inherit underline="always">
            {t('person.groups.all')}
          </AnchorLink>
        </Text>
      ) : (
        <List listStyleType="none" spacing={6} size="sm">
          {group_ids.map((id) => (
            <List.Item key={id}>
              <GroupLink groupId={id} />
            </List.Item>
          ))}
        </List>
      )}
    </Section>
  )
}

export function HistorySection({ person }: Props) {
  const seesKeys = useMissingScopeReason('keys.read') === null
  const history = useInfiniteQuery(personHistory(person.id, seesKeys))
  const { data: groups = new Map<string, string>() } = useQuery(groupNamesQuery)
  return (
    <Section title={t('person.history')}>
      <Timeline query={history} names={groups} />
    </Section>
  )
}
