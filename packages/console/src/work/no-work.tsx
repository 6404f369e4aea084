import { useSetup } from '#start/setup.ts'
import { t } from '#text/index.ts'
import { ButtonLink } from '#ui/links.tsx'
import { EmptyState } from '#ui/page.tsx'

/** A person without work. In a workspace that is not set up, the way back to Start. */
export function NoWork() {
  const { doneCount, count, isDone } = useSetup()
  return (
    <EmptyState title={t('work.none')} advice={t('work.none.about')}>
      {!isDone && (
        <ButtonLink to="/start" search={{}}>
          {t('start.continue', { done: doneCount, count })}
        </ButtonLink>
      )}
    </EmptyState>
  )
}
