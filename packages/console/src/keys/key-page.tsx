import type { Key } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'

import { useWhoami } from '#api/whoami.ts'
import { t } from '#text/index.ts'
import { StatusBadge } from '#ui/level.tsx'
import { AnchorTo } from '#ui/links.tsx'
import { PagePending } from '#ui/page-states.tsx'
import { Page, Section } from '#ui/page.tsx'
import { ProblemNotice } from '#ui/problem.tsx'

import { KeyActions } from './key-actions.tsx'
import { KeyFacts } from './key-facts.tsx'
import { Ending } from './own-key.tsx'
import { keyQuery } from './queries.ts'
import { Scopes } from './scopes.tsx'

const trail = [
  <AnchorTo key="keys" to="/keys" search={{}}>
    {t('keys.title')}
  </AnchorTo>,
]

/** One key: what it may do, who used it last, and what can be done to it. */
export function KeyPage() {
  const { key_id } = useParams({ from: '/signed-in/keys/$key_id' })
  const { data, error } = useQuery(keyQuery(key_id))
  if (data) return <TheKey of={data} />
  if (error === null) return <PagePending />
  return (
    <Page title={t('keys.title')} trail={trail}>
      <ProblemNotice error={error} />
    </Page>
  )
}

function TheKey({ of: key }: { readonly of: Key }) {
  const isOwn = useWhoami().key.id === key.id
  return (
    <Page
      title={key.name}
      beside={<StatusBadge set="keyStatus" status={key.status} />}
      trail={trail}
      actions={<KeyActions of={key} />}
    >
      <Section title={t(isOwn ? 'keys.own' : 'key.facts')}>
        <Ending of={key} />
        <KeyFacts of={key} />
      </Section>
      <Scopes held={key.scopes} />
    </Page>
  )
}
