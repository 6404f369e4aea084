import { Center, Container, Loader, Stack, Text, Title } from '@mantine/core'

import { t } from '#text/index.ts'

import { AnchorLink } from './links.tsx'
import { ProblemNotice } from './problem.tsx'

export function PagePending() {
  return (
    <Center py="xl">
      <Loader aria-label={t('page.loading')} />
    </Center>
  )
}

export function PageFailed({ error }: { readonly error: unknown }) {
  return (
    <Container size="sm" py="xl">
      <ProblemNotice error={error} />
    </Container>
  )
}

export function PageMissing() {
  return (
    <Container size="sm" py="xl" component="main">
      <Stack>
        <Title order={1}>{t('page.missing')}</Title>
        <Text>{t('page.missing.advice')}</Text>
        <AnchorLink to="/risks">{t('page.missing.link')}</AnchorLink>
      </Stack>
    </Container>
  )
}
