import { Button, Group } from '@mantine/core'
import type { Person } from '@muster/contract'

import { RecordNotice } from '#kit/record/record-page.tsx'
import { formatNearDay } from '#text/due.ts'
import { t } from '#text/index.ts'

import { cancelDeparture } from './actions.ts'
import { refusalText, useDeparture } from './departures.ts'
import { InlinePersonLink } from './inline-person-link.tsx'
import type { OpenPersonDialog } from './person-dialogs.tsx'

interface Props {
  readonly person: Person
  readonly open: OpenPersonDialog
}

/** The planned departure, for users who may manage people. */
export function DepartureNotice({ person, open }: Props) {
  const plan = useDeparture(person.id)
  if (plan === undefined) return null
  const { departs_on, planned_by, refusal } = plan
  const day = formatNearDay(departs_on)
  return (
    <RecordNotice
      kind={refusal === null ? 'plain' : 'alarm'}
      action={
        <Group gap="xs" wrap="nowrap">
          <Button size="compact-sm" onClick={() => open('depart', person)}>
            {t('departure.change')}
          </Button>
          <Button size="compact-sm" onClick={() => void cancelDeparture(person)}>
            {t('departure.cancel')}
          </Button>
        </Group>
      }
    >
      {t(refusal === null ? 'departure.leaves' : 'departure.was-to-leave', { day })}{' '}
      {planned_by.user_id === null ? (
        t('departure.by-key')
      ) : (
        <InlinePersonLink userId={planned_by.user_id} />
      )}
      .{refusal !== null && ` ${refusalText(refusal)}`}
    </RecordNotice>
  )
}
