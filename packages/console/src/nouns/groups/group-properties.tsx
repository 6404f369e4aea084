import type { Group, GroupPatch } from '@muster/contract'
import { Fragment } from 'react'

import { FieldProperty } from '#kit/fields/field-property.tsx'
import { Age } from '#kit/parts/age.tsx'
import { Property } from '#kit/record/property.tsx'
import { PersonLink, usePersonNames } from '#kit/references/people.tsx'
import { formatNumber, t } from '#text/index.ts'

import { saveGroup } from './actions.ts'
import { groupFields } from './fields.ts'
import { useReadOnlyReason } from './reasons.ts'

interface Props {
  readonly group: Group
}

export function GroupProperties({ group }: Props) {
  return (
    <dl>
      <Property name={t('word.leads')}>
        <Leads group={group} />
      </Property>
      <Property name={t('word.members')}>{formatNumber(group.member_count)}</Property>
      <FieldProperty
        field={groupFields.external_id}
        of={group}
        reason={useReadOnlyReason(group)}
        onSave={(changes: GroupPatch) => saveGroup(group, changes)}
      />
      <Property name={t('group.members-changed')}>
        <Age at={group.members_changed_at} />
      </Property>
      <Property name={t('word.changed')}>
        <Age at={group.updated_at} />
      </Property>
      <Property name={t('word.created')}>
        <Age at={group.created_at} />
      </Property>
      {Object.entries(group.metadata).map(([name, value]) => (
        <Property key={name} name={name}>
          {value}
        </Property>
      ))}
    </dl>
  )
}

function Leads({ group: { lead_user_ids: ids } }: Props) {
  const names = usePersonNames(ids)
  if (ids.length === 0) return t('groups.no-lead')
  return (
    <span>
      {ids.map((id, index) => (
        <Fragment key={id}>
          {index > 0 && ', '}
          <PersonLink userId={id} names={names} />
        </Fragment>
      ))}
    </span>
  )
}
