import { Button } from '@mantine/core'
import type { IdentityChange } from '@muster/contract'

import { IconAlertTriangle } from '#kit/icons/index.tsx'
import { usePersonNames } from '#kit/references/people.tsx'
import { useKeyName } from '#nouns/keys/queries.ts'
import { formatDay } from '#text/dates.ts'
import { t } from '#text/index.ts'

import classes from './identity-note.module.css'

const textOf = {
  email: 'identity-change.email',
  external_id: 'identity-change.external_id',
  both: 'identity-change.both',
} as const

/** Who changed the email or the external id of a person, and when. */
export function useIdentityText({ fields, changed_by, changed_at }: IdentityChange): string {
  const name = useActorName(changed_by)
  const [field = 'both'] = fields.length === 1 ? fields : []
  return t(textOf[field], { name, day: formatDay(changed_at.slice(0, 10)) })
}

function useActorName(actor: IdentityChange['changed_by']): string {
  const { id, user_id } = actor ?? { id: null, user_id: null }
  const names = usePersonNames([user_id])
  const key = useKeyName(id ?? '')
  if (actor?.type === 'key') return key.name
  if (actor?.type === 'person') return names.get(user_id ?? '') ?? t('actor.name.person')
  return t('identity-change.someone')
}

interface Props {
  readonly change: IdentityChange
  /** Opens the dialog that confirms the change. */
  readonly onClick: () => void
}

/** The unconfirmed change, beside the role that it puts at risk. */
export function IdentityNote({ change, onClick }: Props) {
  const text = useIdentityText(change)
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      classNames={{ root: classes.note ?? '', label: classes.label ?? '' }}
      title={text}
      leftSection={<IconAlertTriangle size={14} />}
      onClick={onClick}
    >
      {text}
    </Button>
  )
}
