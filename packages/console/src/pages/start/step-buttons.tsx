import type { SetupStep } from '#data/setup.ts'
import { ButtonLink } from '#kit/parts/links.tsx'
import { t } from '#text/index.ts'

interface Props {
  readonly step: SetupStep
  /** Whether its main button is that of the page. */
  readonly isNext: boolean
}

/** What the user can do for a step: the pages open the dialogs that `create` names. */
export function StepButtons({ step, isNext }: Props) {
  const variant = isNext ? 'filled' : 'default'
  if (step === 'people')
    return (
      <>
        <ButtonLink to="/people" search={{ create: 'person' }} variant="default">
          {t('people.add')}
        </ButtonLink>
        <ButtonLink to="/import" search={{ kind: 'people' }} variant={variant}>
          {t('start.people.import')}
        </ButtonLink>
      </>
    )
  if (step === 'project')
    return (
      <ButtonLink to="/projects" search={{ create: 'project' }} variant={variant}>
        {t('projects.new')}
      </ButtonLink>
    )
  if (step === 'risks')
    return (
      <>
        <ButtonLink to="/risks" search={{ create: 'risk' }} variant="default">
          {t('risks.new')}
        </ButtonLink>
        <ButtonLink to="/import" search={{ kind: 'risks' }} variant={variant}>
          {t('palette.import')}
        </ButtonLink>
      </>
    )
  return (
    <ButtonLink to="/workspace/sign-in" search={{}} variant={variant}>
      {t('start.sign-in.set')}
    </ButtonLink>
  )
}
