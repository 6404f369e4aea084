import { Button, Code, Container, Paper, PasswordInput, Stack, Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { type Problem, ProblemError } from '@muster/client'
import { useRouter, useSearch } from '@tanstack/react-router'
import { useState } from 'react'

import { signIn } from '#api/client.ts'
import { queryClient } from '#api/query-client.ts'
import { t } from '#text/index.ts'
import { useFormSubmit } from '#ui/form-submit.ts'
import { ProblemNotice } from '#ui/problem.tsx'

export function SignInPage() {
  useDocumentTitle(`${t('sign-in.title')} · Muster`)
  const [key, setKey] = useState('')
  const { back = '/' } = useSearch({ from: '/sign-in' })
  const { history } = useRouter()
  const { error, isBusy, handleSubmit } = useFormSubmit(async () => {
    const response = await signIn(key.trim())
    if (!response.ok) throw new ProblemError((await response.json()) as Problem)
    queryClient.clear()
    history.push(isLocalPath(back) ? back : '/')
  })
  return (
    <Container size={460} py={64} component="main">
      <Paper withBorder p="xl">
        <form onSubmit={handleSubmit}>
          <Stack>
            <Title order={1} size="h2">
              Muster
            </Title>
            <Text>{t('sign-in.about')}</Text>
            {error !== null && <ProblemNotice error={error} />}
            <PasswordInput
              label={t('sign-in.key')}
              value={key}
              onChange={({ currentTarget }) => setKey(currentTarget.value)}
              autoComplete="off"
              spellCheck={false}
              required
              withAsterisk={false}
            />
            <Button type="submit" loading={isBusy}>
              {t('sign-in.submit')}
            </Button>
            <Text size="sm" c="dimmed">
              {t('sign-in.no-key')}
            </Text>
            <Code block className="prose">
              npm run admin -- key create --name Console --scopes projects.manage,personnel.manage
            </Code>
            <Text size="sm">
              <a href="/docs/api">{t('sign-in.reference')}</a>
            </Text>
          </Stack>
        </form>
      </Paper>
    </Container>
  )
}

/** Prevents an open redirect: only paths of this origin are allowed. */
const isLocalPath = (address: string) => address.startsWith('/') && !address.startsWith('//')
