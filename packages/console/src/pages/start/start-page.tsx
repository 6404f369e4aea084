import { Anchor } from '@mantine/core'

import { type SetupState, useSetup } from '#data/setup.ts'
import { useWhoami } from '#data/whoami.ts'
import { IconCircleCheck } from '#kit/icons/index.tsx'
import { ButtonLink } from '#kit/parts/links.tsx'
import { PagePending } from '#kit/parts/page-states.tsx'
import { Page } from '#kit/parts/page.tsx'
import { t } from '#text/index.ts'

import { StepButtons } from './step-buttons.tsx'

import classes from './start.module.css'

/** The first page of an empty workspace: what is still to do, and what is done. */
export function StartPage() {
  const { workspace } = useWhoami()
  const { states, count, doneCount, isDone, isLoading } = useSetup()
  if (isLoading) return <PagePending />
  const hasProject = states.some(({ step, isDone: isStepDone }) => step === 'project' && isStepDone)
  const next = states.find((state) => !state.isDone && state.isAllowed)?.step
  return (
    <Page title={t('start.title')} actions={<Leave />}>
      <div className={classes.page}>
        <h2 className={classes.welcome}>{t('start.welcome', { name: workspace.name })}</h2>
        <p className={classes.intro}>
          {t(isDone ? 'start.complete' : doneCount === 0 ? 'start.empty' : 'start.about')}
        </p>
        <p className={classes.progress} role="status">
          {t('start.progress', { done: doneCount, count })}
        </p>
        <ul className={classes.steps}>
          {states.map((state) => (
            <li key={state.step} className={classes.step} data-done={state.isDone}>
              <Step state={state} hasProject={hasProject} isNext={state.step === next} />
            </li>
          ))}
        </ul>
        <p className={classes.intro}>
          <Anchor href="/docs">{t('start.guide')}</Anchor>
        </p>
      </div>
    </Page>
  )
}

/** A service key has no work of its own. */
function Leave() {
  const isPerson = useWhoami().person !== null
  return (
    <ButtonLink to={isPerson ? '/my-work' : '/overview'} search={{}}>
      {t(isPerson ? 'page.home' : 'start.leave.key')}
    </ButtonLink>
  )
}

interface StepProps {
  readonly state: SetupState
  readonly hasProject: boolean
  readonly isNext: boolean
}

function Step({ state: { step, isDone, isAllowed }, hasProject, isNext }: StepProps) {
  const needsProject = step === 'risks' && !hasProject
  return (
    <>
      {isDone ? (
        <IconCircleCheck size={18} role="img" aria-label={t('start.done')} />
      ) : (
        <span className={classes.open} role="img" aria-label={t('start.open')} />
      )}
      <div className={classes.what}>
        <h3 className={classes.name}>{t(`start.${step}`)}</h3>
        <p className={classes.about}>
          {t(isDone ? `start.${step}.done` : `start.${step}.about`)}
          {!isDone && !isAllowed && ` ${t(`start.${step}.who`)}`}
          {!isDone && isAllowed && needsProject && ` ${t('start.risks.later')}`}
        </p>
      </div>
      {!isDone && isAllowed && !needsProject && (
        <div className={classes.buttons}>
          <StepButtons step={step} isNext={isNext} />
        </div>
      )}
    </>
  )
}
