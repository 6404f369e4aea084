import { useSetup } from '#data/setup.ts'
import { ButtonLink } from '#kit/parts/links.tsx'
import { EmptyState } from '#kit/parts/page.tsx'
import { t } from '#text/index.ts'

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
