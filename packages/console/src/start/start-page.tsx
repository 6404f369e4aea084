import { Anchor, Button, Group, List, Progress, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'

import { client } from '#api/client.ts'
import type { Search } from '#api/search.ts'
import { t } from '#text/index.ts'
import { AnchorTo, ButtonTo } from '#ui/links.tsx'
import { PagePending } from '#ui/page-states.tsx'
import { Page, Section } from '#ui/page.tsx'
import { ProblemNotice } from '#ui/problem.tsx'

import { ChosenProject, ProjectStep } from './project-step.tsx'
import { RiskStep } from './risk-step.tsx'
import { Step, type StepState } from './step.tsx'
import { useFocusOnShow } from './use-focus.ts'
import { useWay, type Way } from './use-way.ts'

import classes from './steps.module.css'

/** The first run: a project, a risk, and where it is on the map. What is done is skipped. */
export function StartPage() {
  const first = useQuery({
    queryKey: ['projects', 'first'],
    queryFn: ({ signal }) => client.projects.list({ query: { limit: 2 } }, { signal }),
    refetchOnWindowFocus: false,
  })
  return (
    <Page title={t('start.title')}>
      <Text>{t('start.about')}</Text>
      {first.isPending && <PagePending />}
      {first.isError && <ProblemNotice error={first.error} />}
      {first.data && <Steps projects={first.data.data} />}
      <Next />
    </Page>
  )
}

function Steps({ projects }: { readonly projects: readonly { readonly id: string }[] }) {
  const way = useWay(projects)
  const { step, error } = way
  if (error) return <ProblemNotice error={error} />
  if (step === null) return <PagePending />
  const stateOf = (number: number): StepState =>
    number < step ? 'done' : number === step ? 'now' : 'later'
  return (
    <>
      <Stack gap={4}>
        <Text size="sm" role="status">
          {t('start.progress', { step })}
        </Text>
        <Progress value={(100 * step) / 3} aria-label={t('start.progress', { step })} />
      </Stack>
      <ol className={classes.steps}>
        <Step number={1} title={t('start.project')} state={stateOf(1)}>
          {step === 1 && <ProjectStep isAny={projects.length > 0} onProject={way.choose} />}
          {step > 1 && way.project && (
            <ChosenProject project={way.project} onProject={way.choose} />
          )}
        </Step>
        <Step number={2} title={t('start.risk')} state={stateOf(2)}>
          {step === 1 && <Text c="dimmed">{t('start.risk.about')}</Text>}
          {step === 2 && way.project && (
            <RiskStep project={way.project} onRisk={way.enter} isNext={way.isMoving} />
          )}
          {step === 3 && <EnteredRisk way={way} />}
        </Step>
        <Step number={3} title={t('start.map')} state={stateOf(3)}>
          {step === 3 ? <OnTheMap way={way} /> : <Text c="dimmed">{t('start.map.later')}</Text>}
        </Step>
      </ol>
    </>
  )
}

function EnteredRisk({ way: { risk, project, riskCount, enter } }: { readonly way: Way }) {
  const there = { code: project?.code ?? '', count: riskCount }
  return (
    <Group>
      <Text className="wrap">
        {risk ? `${risk.ref} ${risk.title}` : t('start.risk.there', there)}
      </Text>
      <Button variant="subtle" size="compact-sm" onClick={() => enter(null)}>
        {t('start.risk.another')}
      </Button>
    </Group>
  )
}

function OnTheMap({ way }: { readonly way: Way }) {
  const link = useFocusOnShow<HTMLAnchorElement>(way.isMoving)
  return (
    <Stack align="flex-start">
      <Text size="sm">{t('start.map.about')}</Text>
      <ButtonTo ref={link} to="/risks" search={whereOn(way)}>
        {t('start.map.link')}
      </ButtonTo>
    </Stack>
  )
}

/** The cell of the risk is pressed there, and the list has what is in it. */
const whereOn = ({ projectId, risk }: Way): Search => ({
  ...(projectId !== null && { project_id: projectId }),
  ...(risk && { likelihood: String(risk.likelihood), impact: String(risk.impact) }),
})

function Next() {
  return (
    <Section title={t('start.next')}>
      <List>
        <List.Item>
          <AnchorTo to="/import" search={{ kind: 'people' }}>
            {t('start.next.import')}
          </AnchorTo>
        </List.Item>
        <List.Item>
          <AnchorTo to="/keys" search={{}}>
            {t('start.next.invite')}
          </AnchorTo>
        </List.Item>
        <List.Item>
          <Anchor href="/docs">{t('start.next.guide')}</Anchor>
        </List.Item>
      </List>
    </Section>
  )
}
