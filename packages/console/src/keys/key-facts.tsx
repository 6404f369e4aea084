import { Code, SimpleGrid } from '@mantine/core'
import type { Key } from '@muster/contract'

import { formatAge, formatInstant } from '#text/dates.ts'
import { t } from '#text/index.ts'
import { StatusBadge } from '#ui/level.tsx'
import { AnchorTo } from '#ui/links.tsx'
import { Fact } from '#ui/page.tsx'

const told = (instant: string) =>
  t('keys.instant', { instant: formatInstant(instant), age: formatAge(instant) })

/** All that is known of a key. Named otherwise than `key`, which React keeps for itself. */
export function KeyFacts({ of }: { readonly of: Key }) {
  const { id, name, hint, status, created_at, expires_at, revoked_at, allowed_cidrs } = of
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
        {told(created_at)} <Maker {...of.created_by} />
      </Fact>
      {revoked_at === null ? (
        <Fact name={t('keys.expires')}>
          {expires_at === null ? t('keys.never') : told(expires_at)}
        </Fact>
      ) : (
        <Fact name={t('keys.revoked')}>{told(revoked_at)}</Fact>
      )}
      <Fact name={t('keys.last-used')}>
        <LastUse of={of} />
      </Fact>
      <Fact name={t('keys.networks')}>{allowed_cidrs.join(', ') || t('keys.anywhere')}</Fact>
      {of.replaces !== null && (
        <Fact name={t('keys.replaces')}>
          <KeyLink id={of.replaces} />
        </Fact>
      )}
      {of.replaced_by !== null && (
        <Fact name={t('keys.replaced-by')}>
          <KeyLink id={of.replaced_by} />
        </Fact>
      )}
    </SimpleGrid>
  )
}

/** When, and from where: to within a minute, and the first part of the address. */
export function LastUse({ of: { last_used_at, last_used_from } }: { readonly of: Key }) {
  if (last_used_at === null) return t('keys.not-used')
  const from = last_used_from === null ? '' : ` ${t('keys.from', { network: last_used_from })}`
  return told(last_used_at) + from
}

function KeyLink({ id }: { readonly id: string }) {
  return (
    <AnchorTo to="/keys/$key_id" params={{ key_id: id }} search={{}} inherit className="wrap">
      {id}
    </AnchorTo>
  )
}

function Maker({ type, id }: Key['created_by']) {
  if (type !== 'key' || id === null) return t(`actor.${type}`)
  return (
    <AnchorTo to="/keys/$key_id" params={{ key_id: id }} search={{}} inherit underline="always">
      {t('actor.key')}
    </AnchorTo>
  )
}
