import { Group } from '@mantine/core'

import { useBoundKey, useMissingScopeReason, useWhoami } from '#data/whoami.ts'
import { ButtonLink } from '#kit/parts/links.tsx'
import { EmptyState } from '#kit/parts/page.tsx'
import { t } from '#text/index.ts'

import type { RiskView } from './risk-views.ts'

interface Props {
  readonly isFiltered: boolean
  readonly view: RiskView
  /** Whether the workspace has open risks at all. */
  readonly hasRisks: boolean
}

export function NoRisks({ isFiltered, view, hasRisks }: Props) {
  const isBound = useBoundKey() !== null
  if (isFiltered)
    return <EmptyState title={t('risks.no-match')} advice={t('risks.no-match.about')} />
  if (view === 'closed')
    return <EmptyState title={t('risks.closed.none')} advice={t('risks.closed.none.about')} />
  if (view === 'attention' && hasRisks)
    return <EmptyState title={t('attention.none')} advice={t('attention.none.about')} />
  if (view !== '' && hasRisks)
    return <EmptyState title={t('risks.view.none')} advice={t('risks.view.none.about')} />
  return (
    <EmptyState title={t('risks.none')} advice={t('risks.none.about')}>
      <Group justify="center">
        <Create />
        {!isBound && (
          <ButtonLink to="/start" search={{}}>
            {t('risks.none.start')}
          </ButtonLink>
        )}
      </Group>
    </EmptyState>
  )
}

/** A risk needs a project, so the first thing to create may be that. */
function Create() {
  const { usage } = useWhoami()
  if (useMissingScopeReason('projects.manage') !== null) return null
  return usage.projects === 0 ? (
    <ButtonLink to="/projects" search={{ create: 'project' }} variant="filled">
      {t('projects.new')}
    </ButtonLink>
  ) : (
    <ButtonLink to="/risks" search={{ create: 'risk' }} variant="filled">
      {t('risks.new')}
    </ButtonLink>
  )
}
