import { ActionIcon } from '@mantine/core'
import type { Person } from '@muster/contract'

import { isMissingScope, useMissingScopeReason } from '#data/whoami.ts'
import { IconX } from '#kit/icons/index.tsx'
import { PropertySection } from '#kit/record/property.tsx'
import { GroupLink, useGroupName } from '#kit/references/group-links.tsx'
import { leaveGroup } from '#nouns/groups/actions.ts'
import { t } from '#text/index.ts'

import { AddToGroup } from './add-to-group.tsx'

import classes from './people.module.css'

interface Props {
  readonly person: Person
}

/** The groups of a person, which can be joined and left here. */
export function PersonGroups({ person }: Props) {
  const reason = useMissingScopeReason('personnel.manage')
  const { group_ids } = person
  const isOnRoster = person.status !== 'departed'
  return (
    <PropertySection
      title={t('groups.title')}
      aside={isOnRoster && <AddToGroup people={[person]} excluded={group_ids} reason={reason} />}
    >
      {group_ids.length === 0 && <p className={classes.sectionText}>{t('person.groups.none')}</p>}
      <ul>
        {group_ids.map((id) => (
          <PersonGroup key={id} person={person} groupId={id} reason={reason} />
        ))}
      </ul>
    </PropertySection>
  )
}

interface GroupProps extends Props {
  readonly groupId: string
  readonly reason: string | null
}

function PersonGroup({ person, groupId, reason }: GroupProps) {
  const name = t('person.groups.leave', { group: useGroupName(groupId) })
  return (
    <li className={classes.named}>
      <GroupLink groupId={groupId} />
      {!isMissingScope(reason) && (
        <ActionIcon
          size={24}
          aria-label={name}
          title={reason ?? name}
          disabled={reason !== null}
          onClick={() => void leaveGroup(groupId, person)}
        >
          <IconX size={14} />
        </ActionIcon>
      )}
    </li>
  )
}
