import type { Key } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'

import { useWhoami } from '#api/whoami.ts'
import { t } from '#text/index.ts'
import { StatusBadge } from '#ui/level.tsx'
import { AnchorLink } from '#ui/links.tsx'
import { PagePending } from '#ui/page-states.tsx'
import { Page, Section } from '#ui/page.tsx'
import { ProblemNotice } from '#ui/problem.tsx'

import { KeyActions } from './key-actions.tsx'
import { KeyFacts } from './key-facts.tsx'
import { ExpiryNotice } from './own-key.tsx'
import { keyQuery } from './queries.ts'
import { Scopes } from './scopes.tsx'

const breadcrumbs = [
  <AnchorLink key="keys" to="/keys" search={{}}>
    {t('keys.title')}
  </AnchorLink>,
]

export function KeyPage() {
  const { key_id } = useParams({ from: '/signed-in/keys/$key_id' })
  const { data, error } = useQuery(keyQuery(key_id))
  if (data) return <KeyDetails apiKey={data} />
  if (error === null) return <PagePending />
  return (
    <Page title={t('keys.title')} breadcrumbs={breadcrumbs}>
      <ProblemNotice error={error} />
    </Page>
  )
}

function KeyDetails({ apiKey: key }: { readonly apiKey: Key }) {
  const isOwn = useWhoami().key.id === key.id
  return (
    <Page
      title={key.name}
      rightSection={<StatusBadge set="keyStatus" status={key.status} />}
      breadcrumbs={breadcrumbs}
      actions={<KeyActions apiKey={key} />}
    >
      <Section title={t(isOwn ? 'keys.own' : 'key.facts')}>
        <ExpiryNotice apiKey={key} />
        <KeyFacts apiKey={key} />
      </Section>
      <Scopes held={key.scopes} />
    </Page>
  )
}
