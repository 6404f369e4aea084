import type { Risk } from '@muster/contract'
import { useState } from 'react'

import { BulkAssignDialog } from '#kit/list/bulk-assign-dialog.tsx'
import { t } from '#text/index.ts'

import { assignRisks, editRisk } from './actions.ts'

interface Props {
  readonly risks: readonly Risk[]
  readonly onClose: () => void
  readonly onBulkDone: (() => void) | undefined
}

/** Gives one or several risks to an owner. */
export function AssignDialog({ risks, onClose, onBulkDone }: Props) {
  const [seen] = useState(risks)
  const [first] = seen
  const isOne = seen.length === 1 && first !== undefined
  return (
    <BulkAssignDialog
      title={
        isOne
          ? t('risk.assign.title', { ref: first.ref })
          : t('risks.assign.title', { count: seen.length })
      }
      label={t('risk.field.owner')}
      onAssign={(owner_user_id): Promise<unknown> =>
        isOne
          ? editRisk(first, { owner_user_id })
          : assignRisks(seen, owner_user_id).then(onBulkDone)
      }
      onClose={onClose}
    />
  )
}
