import { Code, SimpleGrid } from '@mantine/core'
import type { Key } from '@muster/contract'

import { formatAge, formatInstant } from '#text/dates.ts'
import { t } from '#text/index.ts'
import { StatusBadge } from '#ui/level.tsx'
import { AnchorLink } from '#ui/links.tsx'
import { Fact } from '#ui/page.tsx'

const formatInstantAndAge = (instant: string) =>
  t('keys.instant', { instant: formatInstant(instant), age: formatAge(instant) })

/** The prop is not named `key`, because React reserves that name. */
export function KeyFacts({ apiKey }: { readonly apiKey: Key }) {
  const { id, name, hint, status, created_at, expires_at, revoked_at, allowed_cidrs } = apiKey
  return (
    <SimpleGrid component="dl" cols={{ base: 1, xs: 2, md: 3, lg: 4 }} m={0} spacing="sm">
      <Fact name={t('keys.name')}>{name}</Fact>
      <Fact name={t('keys.status')}>
        <StatusBadge set="keyStatus" status={status} />
      </Fact>
      <Fact name={t('keys.hint')}>
        <Code title={t('keys.hint.about')}>{hint}…</Code>
      </Fact>
      <Fact name={t('keys.id')}>
        <Code className="wrap">{id}</Code>
      </Fact>
      <Fact name={t('keys.created')}>
        {formatInstantAndAge(created_at)} <Creator {...apiKey.created_by} />
      </Fact>
      {revoked_at === null ? (
        <Fact name={t('keys.expires')}>
          {expires_at === null ? t('keys.never') : formatInstantAndAge(expires_at)}
        </Fact>
      ) : (
        <Fact name={t('keys.revoked')}>{formatInstantAndAge(revoked_at)}</Fact>
      )}
      <Fact name={t('keys.last-used')}>
        <LastUse apiKey={apiKey} />
      </Fact>
      <Fact name={t('keys.networks')}>{allowed_cidrs.join(', ') || t('keys.anywhere')}</Fact>
      {apiKey.replaces !== null && (
        <Fact name={t('keys.replaces')}>
          <KeyLink id={apiKey.replaces} />
        </Fact>
      )}
      {apiKey.replaced_by !== null && (
        <Fact name={t('keys.replaced-by')}>
          <KeyLink id={apiKey.replaced_by} />
        </Fact>
      )}
    </SimpleGrid>
  )
}

/** The service stores the last use to the minute and only the network part of the address. */
export function LastUse({ apiKey: { last_used_at, last_used_from } }: { readonly apiKey: Key }) {
  if (last_used_at === null) return t('keys.not-used')
  const from = last_used_from === null ? '' : ` ${t('keys.from', { network: last_used_from })}`
  return formatInstantAndAge(last_used_at) + from
}

function KeyLink({ id }: { readonly id: string }) {
  return (
    <AnchorLink to="/keys/$key_id" params={{ key_id: id }} search={{}} inherit className="wrap">
      {id}
    </AnchorLink>
  )
}

function Creator({ type, id }: Key['created_by']) {
  if (type !== 'key' || id === null) return t(`actor.${type}`)
  return (
    <AnchorLink to="/keys/$key_id" params={{ key_id: id }} search={{}} inherit underline="always">
      {t('keys.by-key')}
    </AnchorLink>
  )
}
