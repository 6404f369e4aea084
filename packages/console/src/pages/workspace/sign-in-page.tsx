import { Stack } from '@mantine/core'
import type { SignInSettings } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'
import { lazyRouteComponent } from '@tanstack/react-router'

import { signInSettingsQuery } from '#data/sign-in-settings.ts'
import { useMissingScopeReason } from '#data/whoami.ts'
import { Line, Lines, SettingsPage } from '#frame/settings-page.tsx'
import { ProblemNotice } from '#kit/feedback/problem.tsx'
import { useDialogs } from '#kit/form/dialogs.tsx'
import { ActionButton } from '#kit/parts/action-button.tsx'
import { CopyableText } from '#kit/parts/copyable-text.tsx'
import { PagePending } from '#kit/parts/page-states.tsx'
import { EmptyState, Section } from '#kit/parts/page.tsx'
import { formatAge, formatInstant } from '#text/dates.ts'
import { t } from '#text/index.ts'

import { ProviderTest } from './provider-test.tsx'

const file = () => import('./provider-dialogs.tsx')
const dialogs = {
  edit: lazyRouteComponent(file, 'ProviderDialog'),
  remove: lazyRouteComponent(file, 'RemoveProviderDialog'),
}

/** How people sign in to this workspace. */
export function SignInSettingsPage() {
  const reason = useMissingScopeReason('workspace.manage')
  const { data, error, refetch } = useQuery({ ...signInSettingsQuery, enabled: reason === null })
  return (
    <SettingsPage title={t('sign-in-settings.title')} about={t('provider.about')}>
      {reason !== null && <EmptyState title={t('sign-in-settings.hidden')} advice={reason} />}
      {error && <ProblemNotice error={error} onRetry={() => void refetch()} />}
      {reason === null && !error && data === undefined && <PagePending />}
      {data && (
        <>
          <Addresses settings={data} />
          <ProviderSection settings={data} />
        </>
      )}
    </SettingsPage>
  )
}

interface Props {
  readonly settings: SignInSettings
}

function Addresses({ settings: { sign_in_url, redirect_uri } }: Props) {
  return (
    <Section title={t('sign-in-settings.addresses')}>
      <Stack gap="md">
        <CopyableText name={t('sign-in-settings.url')} text={sign_in_url} />
        <CopyableText name={t('sign-in-settings.redirect')} text={redirect_uri} />
      </Stack>
    </Section>
  )
}

function ProviderSection({ settings }: Props) {
  const { provider } = settings
  const { open, dialog } = useDialogs('sign-in/dialog', dialogs)
  return (
    <Section
      title={t('provider.title')}
      rightSection={
        <ActionButton size="compact-sm" onClick={() => open('edit', provider)}>
          {t(provider === null ? 'provider.set' : 'word.edit')}
        </ActionButton>
      }
    >
      {provider === null ? (
        <EmptyState title={t('provider.none')} advice={t('provider.none.about')} />
      ) : (
        <>
          <ProviderFacts provider={provider} />
          <ProviderTest onRemove={() => open('remove', provider)} />
        </>
      )}
      {dialog}
    </Section>
  )
}

interface FactsProps {
  readonly provider: NonNullable<SignInSettings['provider']>
}

function ProviderFacts({ provider }: FactsProps) {
  const { issuer, client_id, match, allowed_domains, first_sign_in, updated_at } = provider
  return (
    <Lines>
      <Line name={t('provider.issuer')}>{issuer}</Line>
      <Line name={t('provider.client-id')}>{client_id}</Line>
      <Line name={t('provider.match')} about={t('provider.match.about')}>
        {t(`provider.match.${match}`)}
      </Line>
      <Line name={t('provider.domains')}>
        {allowed_domains.join(', ') || t('provider.domains.any')}
      </Line>
      <Line name={t('provider.first')}>{t(`provider.first.${first_sign_in}`)}</Line>
      <Line name={t('word.changed')}>
        {formatInstant(updated_at)} ({formatAge(updated_at)})
      </Line>
    </Lines>
  )
}
