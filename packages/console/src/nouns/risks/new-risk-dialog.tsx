import { SimpleGrid, TextInput } from '@mantine/core'
import type { NewRisk, Project } from '@muster/contract'
import { useNavigate } from '@tanstack/react-router'

import { riskAddress } from '#data/addresses.ts'
import { ActionDialog } from '#kit/fields/action-dialog.tsx'
import { FieldInput } from '#kit/fields/field-input.tsx'
import { fromForm, requiredTexts, toForm } from '#kit/fields/field.ts'
import { ProjectPicker } from '#kit/references/project-picker.tsx'
import { t } from '#text/index.ts'

import { createRisk } from './actions.ts'
import { responsesOf, riskFields } from './fields.ts'
import { type Rating, RatingGrid } from './rating-grid.tsx'
import { useReviewDay } from './review-day.ts'

interface Props {
  readonly onClose: () => void
  /** The project of the risk; if omitted, the dialog asks for it. */
  readonly project?: Pick<Project, 'id'>
}

const { title, owner_user_id, category, response, description, tags } = riskFields
const fields = { title, owner_user_id, category, response, description, tags }

const newRisk = {
  ...toForm(fields, { category: 'other', response: 'undecided' }),
  /** Null until the user rates. */
  rating: null as Rating | null,
  /** Null until the user picks a day. */
  review_on: null as string | null,
}

/** Creates a risk, which starts without a rating, and opens it. */
export function NewRiskDialog({ onClose, project }: Props) {
  const navigate = useNavigate()
  const dayOf = useReviewDay()
  return (
    <ActionDialog
      draft="risks/new-risk"
      title={t('risks.new')}
      submit={t('risk.new.submit')}
      help={t('rating.keys')}
      initialValues={{ ...newRisk, project_id: project?.id ?? null }}
      validate={(values) => ({
        ...requiredTexts(fields)(values),
        ...(values.project_id === null && { project_id: t('field.project-needed') }),
        ...(values.rating === null && { rating: t('rating.needed') }),
      })}
      send={async ({ project_id, rating, review_on, ...values }) => {
        if (rating === null) return false
        const risk = await createRisk(project_id ?? '', {
          ...fromForm<Pick<NewRisk, keyof typeof fields>>(fields, values),
          ...rating,
          review_on: dayOf({ rating, review_on }) || null,
        })
        return navigate(riskAddress(risk))
      }}
      onClose={onClose}
    >
      {(form) => (
        <>
          <FieldInput form={form} field={title} isFirst />
          <SimpleGrid cols={project === undefined ? 2 : 1} spacing="sm">
            {project === undefined && (
              <ProjectPicker
                label={t('word.project')}
                required
                {...form.getInputProps('project_id')}
                value={form.values.project_id}
              />
            )}
            <FieldInput form={form} field={owner_user_id} />
          </SimpleGrid>
          <RatingGrid
            label={t('rating.title')}
            value={form.values.rating}
            onChange={(rating) => form.setFieldValue('rating', rating)}
            error={form.errors['rating']}
          />
          <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
            <TextInput
              type="date"
              label={t('risk.new.review-on')}
              {...form.getInputProps('review_on')}
              value={dayOf(form.values)}
            />
            <FieldInput form={form} field={category} />
            <FieldInput form={form} field={response} offered={responsesOf('undecided')} />
          </SimpleGrid>
          <FieldInput form={form} field={description} minRows={2} />
          <FieldInput form={form} field={tags} />
        </>
      )}
    </ActionDialog>
  )
}
