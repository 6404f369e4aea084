import { Anchor, Button, Group, List, Progress, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'

import { client } from '#api/client.ts'
import type { Search } from '#api/search.ts'
import { t } from '#text/index.ts'
import { AnchorLink, ButtonLink } from '#ui/links.tsx'
import { PagePending } from '#ui/page-states.tsx'
import { Page, Section } from '#ui/page.tsx'
import { ProblemNotice } from '#ui/problem.tsx'

import { ChosenProject, ProjectStep } from './project-step.tsx'
import { RiskStep } from './risk-step.tsx'
import { Step, type StepState } from './step.tsx'
import { useFocusOnMount } from './use-focus-on-mount.ts'
import { type StartProgress, useStartProgress } from './use-start-progress.ts'

import classes from './steps.module.css'

/** The onboarding steps: a project, a risk, the heat map. Completed steps are skipped. */
export function StartPage() {
  const first = useQuery({
    queryKey: ['projects', 'first'],
    queryFn: ({ signal }) => client.projects.list({ query: { limit: 2 } }, { signal }),
    refetchOnWindowFocus: false,
  })
  return (
    <Page title={t('start.title')}>
      <p className={classes.intro}>{t('start.about')}</p>
      {first.isPending && <PagePending />}
      {first.isError && <ProblemNotice error={first.error} onRetry={() => void first.refetch()} />}
      {first.data && <Steps projects={first.data.data} />}
      <NextSteps />
    </Page>
  )
}

function Steps({ projects }: { readonly projects: readonly { readonly id: string }[] }) {
  const progress = useStartProgress(projects)
  const { step, error } = progress
  if (error) return <ProblemNotice error={error} />
  if (step === null) return <PagePending />
  const stateOf = (number: number): StepState =>
    number < step ? 'done' : number === step ? 'now' : 'later'
  return (
    <>
      <Stack gap={4} maw={720}>
        <Text size="sm" role="status">
          {t('start.progress', { step })}
        </Text>
        <Progress value={(100 * step) / 3} aria-label={t('start.progress', { step })} />
      </Stack>
      <ol className={classes.steps}>
        <Step number={1} title={t('start.project')} state={stateOf(1)}>
          {step === 1 && (
            <ProjectStep hasProjects={projects.length > 0} onProject={progress.chooseProject} />
          )}
          {step > 1 && progress.project && (
            <ChosenProject project={progress.project} onProject={progress.chooseProject} />
          )}
        </Step>
        <Step number={2} title={t('start.risk')} state={stateOf(2)}>
          {step === 1 && <Text c="dimmed">{t('start.risk.about')}</Text>}
          {step === 2 && progress.project && (
            <RiskStep
              project={progress.project}
              onRisk={progress.chooseRisk}
              takesFocus={progress.hasAdvanced}
            />
          )}
          {step === 3 && <EnteredRisk progress={progress} />}
        </Step>
        <Step number={3} title={t('start.map')} state={stateOf(3)}>
          {step === 3 ? (
            <MapStep progress={progress} />
          ) : (
            <Text c="dimmed">{t('start.map.later')}</Text>
          )}
        </Step>
      </ol>
    </>
  )
}

function EnteredRisk({
  progress: { risk, project, riskCount, chooseRisk },
}: {
  readonly progress: StartProgress
}) {
  const values = { code: project?.code ?? '', count: riskCount }
  return (
    <Group>
      <Text className="wrap">
        {risk ? `${risk.ref} ${risk.title}` : t('start.risk.there', values)}
      </Text>
      <Button variant="subtle" size="compact-sm" onClick={() => chooseRisk(null)}>
        {t('start.risk.another')}
      </Button>
    </Group>
  )
}

function MapStep({ progress }: { readonly progress: StartProgress }) {
  const link = useFocusOnMount<HTMLAnchorElement>(progress.hasAdvanced)
  return (
    <Stack align="flex-start">
      <Text size="sm">{t('start.map.about')}</Text>
      <ButtonLink ref={link} variant="filled" to="/risks" search={registerSearch(progress)}>
        {t('start.map.link')}
      </ButtonLink>
    </Stack>
  )
}

/** Opens the register filtered to the cell of the new risk. */
const registerSearch = ({ projectId, risk }: StartProgress): Search => ({
  ...(projectId !== null && { project_id: projectId }),
  ...(risk && { likelihood: String(risk.likelihood), impact: String(risk.impact) }),
})

function NextSteps() {
  return (
    <Section title={t('start.next')}>
      <List spacing={4}>
        <List.Item>
          <AnchorLink to="/import" search={{ kind: 'people' }}>
            {t('start.next.import')}
          </AnchorLink>
        </List.Item>
        <List.Item>
          <AnchorLink to="/access" search={{}}>
            {t('start.next.invite')}
          </AnchorLink>
        </List.Item>
        <List.Item>
          <Anchor href="/docs">{t('start.next.guide')}</Anchor>
        </List.Item>
      </List>
    </Section>
  )
}
