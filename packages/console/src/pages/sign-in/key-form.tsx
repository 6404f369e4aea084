import { Button, Code, Collapse, PasswordInput, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'

import { signInWithKey } from '#data/sign-in.ts'
import { ProblemNotice } from '#kit/feedback/problem.tsx'
import { useFormSubmit } from '#kit/form/form-submit.ts'
import { IconChevronDown } from '#kit/icons/index.tsx'
import { t } from '#text/index.ts'

/** The form for an API key, collapsed at first, because most people sign in without one. */
export function KeyForm({ onDone }: { readonly onDone: () => void }) {
  const [isOpen, { toggle }] = useDisclosure(false)
  const [key, setKey] = useState('')
  const { error, isBusy, handleSubmit } = useFormSubmit(async () => {
    await signInWithKey(key.trim())
    onDone()
  })
  return (
    <div>
      <Button
        variant="subtle"
        size="compact-sm"
        aria-expanded={isOpen}
        rightSection={<IconChevronDown size={16} />}
        onClick={toggle}
      >
        {t('sign-in.use-key')}
      </Button>
      <Collapse expanded={isOpen}>
        <form onSubmit={handleSubmit}>
          <Stack mt="sm">
            <Text size="sm">{t('sign-in.about')}</Text>
            {error !== null && <ProblemNotice error={error} isSignIn />}
            <PasswordInput
              label={t('sign-in.key')}
              value={key}
              onChange={({ currentTarget }) => setKey(currentTarget.value)}
              autoComplete="off"
              spellCheck={false}
              required
              withAsterisk={false}
            />
            <Button type="submit" variant="default" loading={isBusy}>
              {t('sign-in.submit')}
            </Button>
            <Text size="sm" c="dimmed">
              {t('sign-in.no-key')}
            </Text>
            <Code block className="prose">
              npm run admin -- key create --name Console --scopes projects.manage,personnel.manage
            </Code>
          </Stack>
        </form>
      </Collapse>
    </div>
  )
}
