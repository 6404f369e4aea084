import type { NewIssue, Project } from '@muster/contract'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'

import { withFieldErrors } from '#kit/feedback/problem.tsx'
import { FormDialog } from '#kit/form/form-dialog.tsx'
import { useKeptForm } from '#kit/form/kept-form.ts'
import { ProjectPicker } from '#kit/references/project-picker.tsx'
import { t } from '#text/index.ts'

import { openIssue } from './actions.ts'
import { IssueFormFields, newIssueForm, toFields } from './issue-fields.tsx'

interface Props {
  readonly onClose: () => void
  /** The project of the issue; if omitted, the dialog asks for it. */
  readonly project?: Pick<Project, 'id'>
}

/** Creates an issue, then opens its page. */
export function NewIssueDialog({ onClose, project }: Props) {
  const navigate = useNavigate()
  const form = useKeptForm('issues/new-issue', { initialValues: newIssueForm })
  const [chosen, setChosen] = useState(project?.id ?? null)
  const [isMissing, setMissing] = useState(false)
  const submit = async () => {
    setMissing(chosen === null)
    if (chosen === null) return false
    // The cast holds because the form of a new issue does not offer the status closed.
    const body = toFields(form.getValues()) as NewIssue
    const { project_id, id } = await withFieldErrors(form, openIssue(chosen, body))
    return navigate({
      to: '/projects/$project_id/issues/$issue_id',
      params: { project_id, issue_id: id },
      search: {},
    })
  }
  return (
    <FormDialog
      title={t('issue.new.title')}
      submit={t('issue.new.submit')}
      onClose={onClose}
      onSubmit={submit}
    >
      {project === undefined && (
        <ProjectPicker
          label={t('issues.project')}
          required
          value={chosen}
          onChange={(id) => {
            setChosen(id)
            setMissing(false)
          }}
          error={isMissing && t('issue.new.project')}
        />
      )}
      <IssueFormFields form={form} />
    </FormDialog>
  )
}
