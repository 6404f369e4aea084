import { t } from '#text/index.ts'
import { ButtonLink } from '#ui/links.tsx'
import { EmptyState } from '#ui/page.tsx'

import type { RiskView } from './risk-views.ts'

interface Props {
  readonly isFiltered: boolean
  readonly view: RiskView
}

export function NoRisks({ isFiltered, view }: Props) {
  if (isFiltered)
    return <EmptyState title={t('risks.no-match')} advice={t('risks.no-match.about')} />
  if (view === 'closed')
    return <EmptyState title={t('risks.closed.none')} advice={t('risks.closed.none.about')} />
  if (view === 'attention')
    return <EmptyState title={t('attention.none')} advice={t('attention.none.about')} />
  if (view !== '')
    return <EmptyState title={t('risks.view.none')} advice={t('risks.view.none.about')} />
  return (
    <EmptyState title={t('risks.none')} advice={t('risks.none.about')}>
      <ButtonLink to="/start" search={{}}>
        {t('risks.none.start')}
      </ButtonLink>
    </EmptyState>
  )
}
