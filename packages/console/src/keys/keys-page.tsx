import { Anchor, Grid, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { lazyRouteComponent } from '@tanstack/react-router'

import { useMissingScopeReason, useWhoami, whoamiQuery } from '#api/whoami.ts'
import { t } from '#text/index.ts'
import { ActionButton } from '#ui/action-button.tsx'
import { LazyDialog } from '#ui/lazy-dialog.tsx'
import { Page, Section } from '#ui/page.tsx'

import { KeyList } from './key-list.tsx'
import { LimitFacts, WorkspaceFacts } from './limits.tsx'
import { OwnKey } from './own-key.tsx'
import { Scopes } from './scopes.tsx'
import { Usage } from './usage.tsx'

const NewKeyDialog = lazyRouteComponent(() => import('./new-key-dialog.tsx'), 'NewKeyDialog')

export function KeysPage() {
  const whoami = useWhoami()
  const missingScope = useMissingScopeReason('keys.manage')
  const [isCreating, { open, close }] = useDisclosure(false)
  // Usage changes with every write, so refetch it on every visit.
  useQuery({ ...whoamiQuery, refetchOnMount: 'always' })
  return (
    <Page
      title={t('keys.title')}
      actions={
        <ActionButton reason={missingScope} onClick={open}>
          {t('keys.new')}
        </ActionButton>
      }
    >
      <OwnKey ownKey={whoami.key} />
      <KeyList />
      <Grid gap="md">
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <Scopes held={whoami.key.scopes} title={t('keys.own.scopes')} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <Stack gap="md">
            <WorkspaceFacts workspace={whoami.workspace} />
            <Usage usage={whoami.usage} quota={whoami.limits.quota} />
            <LimitFacts limits={whoami.limits} />
            <Api />
          </Stack>
        </Grid.Col>
      </Grid>
      <LazyDialog isOpen={isCreating}>
        <NewKeyDialog onClose={close} />
      </LazyDialog>
    </Page>
  )
}

function Api() {
  return (
    <Section title={t('keys.api')}>
      <Text size="sm" mb="xs">
        {t('keys.api.about')}
      </Text>
      <Group gap="md">
        <Anchor href="/docs/api" size="sm" underline="always">
          {t('keys.api.reference')}
        </Anchor>
        <Anchor href="/problems" size="sm" underline="always">
          {t('keys.api.problems')}
        </Anchor>
      </Group>
    </Section>
  )
}
