import { Button, Stack, TextInput } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'

import type { Search } from '#data/search.ts'
import { lengthOf } from '#kit/fields/field.ts'
import { t } from '#text/index.ts'

/** Asks for the workspace and opens its sign-in page. */
export function WorkspaceForm() {
  const [workspace, setWorkspace] = useState('')
  const navigate = useNavigate()
  const search = useSearch({ strict: false }) as Search
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const params = { workspace: workspace.trim().toLowerCase() }
    void navigate({ to: '/sign-in/$workspace', params, search })
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label={t('sign-in.workspace')}
          description={t('sign-in.workspace.about')}
          value={workspace}
          onChange={({ currentTarget }) => setWorkspace(currentTarget.value)}
          autoComplete="organization"
          spellCheck={false}
          maxLength={lengthOf('workspace', 'slug')}
          required
          withAsterisk={false}
        />
        <Button type="submit" variant="filled">
          {t('sign-in.workspace.submit')}
        </Button>
      </Stack>
    </form>
  )
}
