import { Text } from '@mantine/core'
import type { Risk } from '@muster/contract'

import { ActionDialog } from '#kit/fields/action-dialog.tsx'
import { type FieldForm, FieldInput } from '#kit/fields/field-input.tsx'
import { fromForm, lengthOf, toForm } from '#kit/fields/field.ts'
import type { DialogProps } from '#kit/form/dialogs.tsx'
import { NoteDialog } from '#kit/form/note-dialog.tsx'
import { BulkAssignDialog } from '#kit/list/bulk-assign-dialog.tsx'
import { AddTaskDialog } from '#nouns/tasks/add-task-dialog.tsx'
import { t } from '#text/index.ts'

import {
  assignRisks,
  type CloseRiskBody,
  closeRisk,
  closeRisks,
  editRisk,
  occurRisk,
  reopenRisk,
} from './actions.ts'
import { closeFields, riskFields } from './fields.ts'
import { RiskName } from './risk-name.tsx'

/** Adds a treatment. */
export const TreatDialog = ({ seen, onClose }: DialogProps<Risk>) => (
  <AddTaskDialog subject={seen} defaultAssignee={seen.owner_user_id} onClose={onClose} />
)

export const AssignDialog = ({ seen, onClose }: DialogProps<Risk>) => (
  <BulkAssignDialog
    title={t('item.assign', { ref: seen.ref })}
    label={riskFields.owner_user_id.label}
    onAssign={(owner_user_id) => editRisk(seen, { owner_user_id })}
    onClose={onClose}
  />
)

export interface SelectedRisks {
  readonly risks: readonly Risk[]
  /** Ends the selection. A restored dialog has none, because nothing is selected. */
  readonly onDone?: () => void
}

export const AssignRisksDialog = ({ seen, onClose }: DialogProps<SelectedRisks>) => (
  <BulkAssignDialog
    title={t('risks.assign.title', { count: seen.risks.length })}
    label={riskFields.owner_user_id.label}
    onAssign={(owner_user_id) => assignRisks(seen.risks, owner_user_id).then(seen.onDone)}
    onClose={onClose}
  />
)

const closing = {
  draft: 'risks/close',
  submit: t('risk.close.submit'),
  initialValues: toForm(closeFields, { close_reason: 'treated' }),
}

export const CloseDialog = ({ seen, onClose }: DialogProps<Risk>) => (
  <ActionDialog
    {...closing}
    title={t('item.close', { ref: seen.ref })}
    about={<RiskName risk={seen} />}
    send={(values) => closeRisk(seen, fromForm<CloseRiskBody>(closeFields, values))}
    onClose={onClose}
  >
    {(form) => <CloseInputs form={form} />}
  </ActionDialog>
)

export const CloseRisksDialog = ({ seen, onClose }: DialogProps<SelectedRisks>) => (
  <ActionDialog
    {...closing}
    title={t('risks.close.title', { count: seen.risks.length })}
    send={(values) =>
      closeRisks(seen.risks, fromForm<CloseRiskBody>(closeFields, values)).then(seen.onDone)
    }
    onClose={onClose}
  >
    {(form) => <CloseInputs form={form} />}
  </ActionDialog>
)

const CloseInputs = ({ form }: { readonly form: FieldForm }) => (
  <>
    <Text size="sm">{t('risk.close.about')}</Text>
    <FieldInput form={form} field={closeFields.close_reason} isFirst />
    <FieldInput form={form} field={closeFields.close_note} />
  </>
)

const note = { name: 'note', about: t('risk.note.about'), maxLength: lengthOf('risks', 'note') }

/** Marks a risk as occurred. Cannot be undone, so the dialog describes the consequences. */
export const OccurDialog = ({ seen, onClose }: DialogProps<Risk>) => (
  <NoteDialog
    title={t('risk.occur.title', { ref: seen.ref })}
    submit={t('risk.occur.submit')}
    about={t('risk.occur.about', { impact: seen.impact })}
    field={{ ...note, label: t('risk.occur.note') }}
    onClose={onClose}
    onSubmit={(text) => occurRisk(seen, text === null ? {} : { note: text })}
  />
)

export const ReopenDialog = ({ seen, onClose }: DialogProps<Risk>) => (
  <NoteDialog
    title={t('item.reopen', { ref: seen.ref })}
    submit={t('risk.reopen.submit')}
    about={t('risk.reopen.about')}
    field={{ ...note, label: t('word.reason') }}
    onClose={onClose}
    onSubmit={(text) => reopenRisk(seen, text === null ? {} : { note: text })}
  />
)
