import { Text } from '@mantine/core'
import { useState } from 'react'

import { FormDialog } from '#kit/form/form-dialog.tsx'
import { t } from '#text/index.ts'

import { handOverWork } from './actions.ts'
import { assignmentsSentence, useAssignments } from './assignments.ts'
import type { PersonDialogProps } from './dialog-props.ts'
import { HandoverLines } from './handover-lines.tsx'
import { useSuccessors } from './use-successors.ts'

/** Reassigns work of a person. Items without a successor stay with the person. */
export function ReassignDialog({ seen, items, onClose, onResult }: PersonDialogProps) {
  const assignments = useAssignments(seen.id)
  const successors = useSuccessors(items ?? assignments.items)
  const [error, setError] = useState<string | null>(null)
  const { lines } = successors
  const submit = async () => {
    setError(lines.length === 0 ? t('handover.missing') : null)
    if (lines.length === 0) return false
    const handover = await successors.send(handOverWork(seen, lines))
    if (handover !== null) onResult({ lines, departure: null })
    return true
  }
  return (
    <FormDialog
      title={t('person.reassign.title', { name: seen.name })}
      submit={
        lines.length === 0 ? t('person.reassign') : t('handover.submit', { count: lines.length })
      }
      width={680}
      onClose={onClose}
      onSubmit={submit}
    >
      {items === undefined && (
        <Text size="sm" className="wrap">
          {assignmentsSentence(seen.name, assignments)}
        </Text>
      )}
      {assignments.hasMore && <Text size="sm">{t('person.assigned.more.about')}</Text>}
      <HandoverLines successors={successors} error={error} />
    </FormDialog>
  )
}
