import { Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'

import { t } from '#text/index.ts'
import { AnchorLink } from '#ui/links.tsx'

import { groupNamesQuery, groupQuery } from './queries.ts'

export function GroupLink({ groupId }: { readonly groupId: string }) {
  const name = useGroupName(groupId)
  return (
    <AnchorLink to="/groups/$group_id" params={{ group_id: groupId }} inherit className="wrap">
      {name}
    </AnchorLink>
  )
}

export function useGroupName(groupId: string | null): string {
  const { data: names } = useQuery({ ...groupNamesQuery, enabled: groupId !== null })
  const knownName = groupId === null ? '' : names?.get(groupId)
  const isMissing = names !== undefined && knownName === undefined
  const { data: group } = useQuery({ ...groupQuery(groupId ?? ''), enabled: isMissing })
  return knownName ?? group?.name ?? (isMissing && groupId !== null ? groupId : '…')
}

interface Props {
  readonly groupIds: readonly string[]
  /** Further groups are only counted. */
  readonly shownMax: number
}

export function GroupLinks({ groupIds, shownMax }: Props) {
  const rest = groupIds.length - shownMax
  return (
    <Group gap="4px 10px">
      {groupIds.slice(0, shownMax).map((id) => (
        <GroupLink key={id} groupId={id} />
      ))}
      {rest > 0 && (
        <Text span c="dimmed" inherit>
          {t('people.more-groups', { count: rest })}
        </Text>
      )}
    </Group>
  )
}
