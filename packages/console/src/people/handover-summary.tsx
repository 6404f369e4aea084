import { Alert, Text } from '@mantine/core'
import type { Person } from '@muster/contract'
import type { ReactNode } from 'react'

import { t } from '#text/index.ts'

import type { HandoverResult } from './actions.ts'
import { countsText } from './assignments.ts'
import { InlinePersonLink } from './inline-person-link.tsx'

interface Props {
  readonly person: Person
  readonly result: HandoverResult
  readonly onClose: () => void
}

/** The result of a handover or departure. It stays on the page until it is closed. */
export function HandoverSummary({ person: { name }, result, onClose }: Props) {
  const { handover, departure } = result
  return (
    <Alert
      role="status"
      variant="outline"
      title={t('receipt.title')}
      withCloseButton
      closeButtonLabel={t('receipt.close')}
      onClose={onClose}
    >
      {departure && <Line>{t('receipt.departed', { name })}</Line>}
      {handover && (
        <Line>
          {t('receipt.handed', { held: countsText(handover.reassigned) })}{' '}
          <InlinePersonLink userId={handover.to_user_id} />
        </Line>
      )}
      {departure && (
        <Line>{t('receipt.left', { name, held: countsText(departure.open_assignments) })}</Line>
      )}
    </Alert>
  )
}

function Line({ children }: { readonly children: ReactNode }) {
  return (
    <Text size="sm" className="wrap">
      {children}
    </Text>
  )
}
