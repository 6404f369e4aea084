import { NativeSelect, SimpleGrid, TagsInput, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { Project, Risk } from '@muster/contract'
import { useNavigate } from '@tanstack/react-router'

import { withFieldErrors } from '#kit/feedback/problem.tsx'
import { FormDialog } from '#kit/form/form-dialog.tsx'
import { useKeptForm } from '#kit/form/kept-form.ts'
import { required, validateForm } from '#kit/form/validation.ts'
import { PersonPicker } from '#kit/references/person-picker.tsx'
import { ProjectPicker } from '#kit/references/project-picker.tsx'
import { t } from '#text/index.ts'
import { choices } from '#text/labels.ts'

import { createRisk } from './actions.ts'
import { type Rating, RatingGrid, requiredRating } from './rating-grid.tsx'
import { ReviewDate, useReviewDate } from './review-date.tsx'

interface Props {
  readonly onClose: () => void
  /** The project of the risk; if omitted, the dialog asks for it. */
  readonly project?: Pick<Project, 'id'>
}

const initialValues = {
  project_id: '',
  title: '',
  rating: null as Rating | null,
  owner_user_id: '',
  category: 'other' as Risk['category'],
  response: 'undecided' as Risk['response'],
  description: '',
  tags: [] as string[],
}

type NewRiskForm = UseFormReturnType<typeof initialValues>

/** Accepting is an operation of its own, because it needs an accountable person. */
const responses = choices('riskResponse').filter(({ value }) => value !== 'accept')

/** Creates a risk, which starts without a rating, and opens it. */
export function NewRiskDialog({ onClose, project }: Props) {
  const navigate = useNavigate()
  const form = useKeptForm('risks/new-risk', {
    initialValues,
    validate: {
      title: required,
      project_id: (id) => (id === '' && project === undefined ? t('risk.new.which') : null),
      rating: requiredRating,
    },
  })
  const { rating, project_id, owner_user_id } = form.values
  const review = useReviewDate(rating)
  const submit = async () => {
    if (!validateForm(form) || rating === null) return false
    const { title, category, response, tags, description } = form.getValues()
    const body = {
      title,
      category,
      response,
      tags,
      ...rating,
      owner_user_id: owner_user_id || null,
      review_on: review.day || null,
      description: description || null,
    }
    const risk = await withFieldErrors(form, createRisk(project?.id ?? project_id, body))
    const params = { project_id: risk.project_id, risk_id: risk.id }
    return navigate({ to: '/projects/$project_id/risks/$risk_id', params, search: {} })
  }
  return (
    <FormDialog
      title={t('risk.new.title')}
      submit={t('risk.new.submit')}
      help={t('rating.keys')}
      onClose={onClose}
      onSubmit={submit}
    >
      <TextInput
        label={t('risk.field.title')}
        maxLength={200}
        required
        data-autofocus
        {...form.getInputProps('title')}
      />
      <SimpleGrid cols={project === undefined ? 2 : 1} spacing="sm">
        {project === undefined && (
          <ProjectPicker
            label={t('risk.field.project')}
            required
            value={project_id || null}
            onChange={(id) => form.setFieldValue('project_id', id ?? '')}
            error={form.errors['project_id']}
          />
        )}
        <PersonPicker
          label={t('risk.field.owner')}
          value={owner_user_id || null}
          onChange={(id) => form.setFieldValue('owner_user_id', id ?? '')}
          error={form.errors['owner_user_id']}
        />
      </SimpleGrid>
      <RatingGrid
        label={t('rating.title')}
        value={rating}
        onChange={(next) => form.setFieldValue('rating', next)}
        error={form.errors['rating']}
      />
      <OptionalFields form={form} review={review} />
    </FormDialog>
  )
}

interface OptionalProps {
  readonly form: NewRiskForm
  readonly review: ReturnType<typeof useReviewDate>
}

/** What can be added later as well. */
function OptionalFields({ form, review }: OptionalProps) {
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
        <ReviewDate
          label={t('risk.new.review-on')}
          day={review.day}
          onPick={review.pick}
          error={form.errors['review_on']}
        />
        <NativeSelect
          label={t('risk.field.category')}
          data={choices('riskCategory')}
          {...form.getInputProps('category')}
        />
        <NativeSelect
          label={t('risk.field.response')}
          data={responses}
          {...form.getInputProps('response')}
        />
      </SimpleGrid>
      <Textarea
        label={t('risk.field.description')}
        description={t('risk.field.description.about')}
        autosize
        minRows={2}
        maxRows={12}
        maxLength={5000}
        {...form.getInputProps('description')}
      />
      <TagsInput
        label={t('risk.field.tags')}
        splitChars={[' ', ',']}
        maxTags={50}
        maxLength={50}
        clearable={false}
        {...form.getInputProps('tags')}
      />
    </>
  )
}
