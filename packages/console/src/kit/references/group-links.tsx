import type { AnchorProps } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'

import { AnchorLink } from '#kit/parts/links.tsx'
import { t } from '#text/index.ts'

import { groupNamesQuery, groupQuery } from './groups.ts'

interface GroupLinkProps extends Pick<AnchorProps, 'underline'> {
  readonly groupId: string
}

export function GroupLink({ groupId, ...rest }: GroupLinkProps) {
  const name = useGroupName(groupId)
  const params = { group_id: groupId }
  return (
    <AnchorLink to="/groups/$group_id" params={params} inherit className="wrap" {...rest}>
      {name}
    </AnchorLink>
  )
}

export function useGroupName(groupId: string | null): string {
  const { data: names, isError } = useQuery({ ...groupNamesQuery, enabled: groupId !== null })
  const knownName = groupId === null ? '' : names?.get(groupId)
  const isMissing = names !== undefined && knownName === undefined
  const { data: group } = useQuery({ ...groupQuery(groupId ?? ''), enabled: isMissing })
  return knownName ?? group?.name ?? (isMissing || isError ? t('group.unnamed') : '…')
}

/** The first group, and the number of the others. */
export function FirstGroup({ groupIds }: { readonly groupIds: readonly string[] }) {
  const [first = null, ...others] = groupIds
  const name = useGroupName(first)
  if (first === null) return t('value.none')
  return others.length === 0 ? name : t('people.first-group', { name, count: others.length })
}
