import { Alert, Text } from '@mantine/core'
import type { Person } from '@muster/contract'
import type { ReactNode } from 'react'

import { t } from '#text/index.ts'

import type { Done } from './actions.ts'
import { heldText } from './held.ts'
import { NamedInText } from './named-in-text.tsx'

interface Props {
  readonly person: Person
  readonly done: Done
  readonly onClose: () => void
}

/** What was held, what of it went to whom, and what is left: to be read, or noted, at leisure. */
export function Receipt({ person: { name }, done, onClose }: Props) {
  const { handover, departure } = done
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
          {t('receipt.handed', { held: heldText(handover.reassigned) })}{' '}
          <NamedInText userId={handover.to_user_id} />
        </Line>
      )}
      {departure && (
        <Line>{t('receipt.left', { name, held: heldText(departure.open_assignments) })}</Line>
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
