import { Checkbox, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useNavigate } from '@tanstack/react-router'

import { t } from '#text/index.ts'
import { FormDialog } from '#ui/form-dialog.tsx'
import { isComplete } from '#ui/needed.ts'
import { showFlaws } from '#ui/problem.tsx'

import { createGroup, type Named } from './actions.ts'
import { flawsOfWords, GroupFields, wordingOf, type Words } from './group-fields.tsx'
import { flawOfPeople, PeoplePicker } from './people-picker.tsx'

interface Props {
  readonly onClose: () => void
}

interface Values extends Words {
  readonly people: Named[]
  readonly leads: string[]
}

const nothingYet: Values = { name: '', description: '', external_id: '', people: [], leads: [] }

/** A group with its first members. Whoever makes it is led to it. */
export function NewGroupDialog({ onClose }: Props) {
  const form = useForm({ initialValues: nothingYet, validate: flawsOfWords })
  const navigate = useNavigate()
  const { people, leads } = form.values
  const choose = (chosen: Named[]) => {
    const isIn = (id: string) => chosen.some((each) => each.id === id)
    form.setFieldValue('people', chosen)
    form.setFieldValue('leads', leads.filter(isIn))
  }
  const submit = async () => {
    if (!isComplete(form)) return false
    const body = {
      ...wordingOf(form.getValues()),
      member_user_ids: people.map(({ id }) => id),
      lead_user_ids: leads,
    }
    const { id } = await showFlaws(form, createGroup(body))
    await navigate({ to: '/groups/$group_id', params: { group_id: id }, search: {} })
    return true
  }
  return (
    <FormDialog
      title={t('groups.new')}
      submit={t('group.create.submit')}
      onClose={onClose}
      onSubmit={submit}
    >
      <GroupFields inputOf={form.getInputProps} />
      <PeoplePicker
        label={t('group.first-members')}
        description={t('group.first-members.about')}
        value={people}
        onChange={choose}
        error={flawOfPeople(form.errors, 'member_user_ids', people)}
      />
      <Checkbox.Group
        label={t('group.first-leads')}
        description={t(people.length > 0 ? 'group.first-leads.about' : 'group.first-leads.none')}
        {...form.getInputProps('leads')}
      >
        <Stack gap="xs" mt="xs">
          {people.map(({ id, name }) => (
            <Checkbox key={id} value={id} label={name} size="md" className="wrap" />
          ))}
        </Stack>
      </Checkbox.Group>
    </FormDialog>
  )
}
