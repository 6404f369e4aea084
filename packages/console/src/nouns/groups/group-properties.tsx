import type { Group } from '@muster/contract'
import { Fragment } from 'react'

import { showError } from '#kit/feedback/toast.tsx'
import { EditableProperty, Property, TextEditor } from '#kit/record/property.tsx'
import { PersonLink, usePersonNames } from '#kit/references/people.tsx'
import { formatAge, formatInstant } from '#text/dates.ts'
import { formatNumber, t } from '#text/index.ts'

import { updateGroup } from './actions.ts'
import { useReadOnlyReason } from './reasons.ts'

interface Props {
  readonly group: Group
}

export function GroupProperties({ group }: Props) {
  const reason = useReadOnlyReason(group)
  return (
    <dl>
      <Property name={t('groups.leads')}>
        <Leads group={group} />
      </Property>
      <Property name={t('groups.members')}>{formatNumber(group.member_count)}</Property>
      <EditableProperty
        name={t('group.external-id')}
        reason={reason}
        edit={(close) => (
          <TextEditor
            label={t('group.external-id')}
            value={group.external_id ?? ''}
            maxLength={255}
            onSave={(text) =>
              updateGroup(group, { ...group, external_id: text.trim() || null }).catch(showError)
            }
            close={close}
          />
        )}
      >
        {group.external_id ?? t('value.none')}
      </EditableProperty>
      <Property name={t('group.members-changed')}>
        <Moment at={group.members_changed_at} />
      </Property>
      <Property name={t('group.changed')}>
        <Moment at={group.updated_at} />
      </Property>
      <Property name={t('group.created-at')}>
        <Moment at={group.created_at} />
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

const Moment = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={formatInstant(at)}>
    {formatAge(at)}
  </time>
)
