import { IconCheck } from '#kit/icons/index.tsx'
import { t } from '#text/index.ts'

import classes from './import.module.css'

const steps = ['choose', 'columns', 'fix', 'check', 'doing'] as const
export type WizardStep = (typeof steps)[number]

/** Where the import is. Nothing is written before the last step. */
export function StepTrail({ current }: { readonly current: WizardStep }) {
  const at = steps.indexOf(current)
  return (
    <ol className={classes.trail} aria-label={t('import.steps')}>
      {steps.map((step, index) => (
        <li
          key={step}
          data-state={index < at ? 'done' : index === at ? 'now' : 'later'}
          {...(index === at && { 'aria-current': 'step' as const })}
        >
          <span aria-hidden>{index < at ? <IconCheck size={12} /> : index + 1}</span>
          {t(`import.step.${step}`)}
        </li>
      ))}
    </ol>
  )
}
