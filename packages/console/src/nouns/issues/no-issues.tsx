import { ButtonLink } from '#kit/parts/links.tsx'
import { EmptyState } from '#kit/parts/page.tsx'
import { t } from '#text/index.ts'

interface Props {
  readonly isFiltered: boolean
  readonly isClosed: boolean
}

export function NoIssues({ isFiltered, isClosed }: Props) {
  if (isFiltered)
    return <EmptyState title={t('issues.no-match')} advice={t('issues.no-match.about')} />
  if (isClosed)
    return <EmptyState title={t('issues.closed.none')} advice={t('issues.closed.none.about')} />
  return (
    <EmptyState title={t('issues.none')} advice={t('issues.none.about')}>
      <ButtonLink to="/projects" search={{}} variant="default">
        {t('issues.none.projects')}
      </ButtonLink>
    </EmptyState>
  )
}
