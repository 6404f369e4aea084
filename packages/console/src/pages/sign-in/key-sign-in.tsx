import { Button, PasswordInput, Stack } from '@mantine/core'
import { useState } from 'react'

import { signInWithKey } from '#data/sign-in.ts'
import { ProblemNotice } from '#kit/feedback/problem.tsx'
import { useFormSubmit } from '#kit/form/form-submit.ts'
import { t } from '#text/index.ts'

interface Props {
  readonly about?: string
  readonly variant: 'default' | 'filled'
  /** Whether the dialog opens with the focus here. */
  readonly isFirst?: boolean
  readonly onDone: () => Promise<void> | void
}

/** Signs in with an API key. */
export function KeySignIn({ about, variant, isFirst = false, onDone }: Props) {
  const [key, setKey] = useState('')
  const { error, isBusy, handleSubmit } = useFormSubmit(async () => {
    await signInWithKey(key.trim())
    await onDone()
  })
  return (
    <form onSubmit={handleSubmit}>
      <Stack>
        {error !== null && <ProblemNotice error={error} isSignIn />}
        <PasswordInput
          label={t('word.key')}
          description={about}
          value={key}
          onChange={({ currentTarget }) => setKey(currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
          {...(isFirst && { 'data-autofocus': true })}
          required
          withAsterisk={false}
        />
        <Button type="submit" variant={variant} loading={isBusy}>
          {t('sign-in.submit')}
        </Button>
      </Stack>
    </form>
  )
}
