import { Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'

import { t } from '#text/index.ts'
import { AnchorTo } from '#ui/links.tsx'

import { groupNamesQuery, groupQuery } from './queries.ts'

/** A group by its name, a click from its page. */
export function GroupLink({ groupId }: { readonly groupId: string }) {
  const name = useGroupName(groupId)
  return (
    <AnchorTo to="/groups/$group_id" params={{ group_id: groupId }} inherit className="wrap">
      {name}
    </AnchorTo>
  )
}

export function useGroupName(groupId: string | null): string {
  const { data: names } = useQuery({ ...groupNamesQuery, enabled: groupId !== null })
  const known = groupId === null ? '' : names?.get(groupId)
  const isBeyond = names !== undefined && known === undefined
  const { data: group } = useQuery({ ...groupQuery(groupId ?? ''), enabled: isBeyond })
  return known ?? group?.name ?? (isBeyond && groupId !== null ? groupId : '…')
}

interface Props {
  readonly groupIds: readonly string[]
  /** More than these are only counted. */
  readonly most: number
}

export function GroupLinks({ groupIds, most }: Props) {
  const rest = groupIds.length - most
  return (
    <Group gap="4px 10px">
      {groupIds.slice(0, most).map((id) => (
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
