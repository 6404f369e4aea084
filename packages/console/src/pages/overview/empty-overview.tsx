import { useSetup } from '#data/setup.ts'
import { StepButtons } from '#pages/start/step-buttons.tsx'
import { t } from '#text/index.ts'

import classes from './overview.module.css'

const steps = ['project', 'risks', 'people'] as const

/** What makes the page useful. Someone who may not do a step does not see it. */
export function EmptyOverview() {
  const { states } = useSetup()
  const open = steps.flatMap((step) => states.find((state) => state.step === step) ?? [])
  const allowed = open.filter(({ isAllowed, isDone }) => isAllowed && !isDone)
  return (
    <div className={classes.empty}>
      <h2>{t('overview.empty')}</h2>
      <p>{t('overview.empty.about')}</p>
      <div className={classes.ghost} aria-hidden>
        <span>{t('overview.empty.chart')}</span>
        <span>{t('overview.empty.now')}</span>
      </div>
      {allowed.length > 0 && (
        <ol>
          {allowed.map(({ step }, at) => (
            <li key={step}>
              <i>{at + 1}</i>
              <span>
                <b>{t(`start.${step}`)}</b>
                <small>{t(`start.${step}.about`)}</small>
              </span>
              <StepButtons step={step} isNext={at === 0} />
            </li>
          ))}
        </ol>
      )}
    </div>
  )
}
