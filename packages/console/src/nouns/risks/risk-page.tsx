import type { Risk } from '@muster/contract'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'

import { projectAddress, riskAddress } from '#data/addresses.ts'
import { useAuthorNames, useMissingScopeReason } from '#data/whoami.ts'
import { useShortcuts } from '#kit/keyboard/shortcuts.ts'
import { ActionButton } from '#kit/parts/action-button.tsx'
import { AnchorLink } from '#kit/parts/links.tsx'
import { ScoreChip, Trend } from '#kit/parts/score.tsx'
import { StatusName } from '#kit/parts/status.tsx'
import { When } from '#kit/parts/when.tsx'
import { Activity } from '#kit/record/activity.tsx'
import { LinksSection } from '#kit/record/links-section.tsx'
import { Neighbours } from '#kit/record/neighbours.tsx'
import { MetadataSection } from '#kit/record/property.tsx'
import { RecordHead, RecordPage } from '#kit/record/record-page.tsx'
import { RecordRoute } from '#kit/record/record-route.tsx'
import { PersonById } from '#kit/references/people.tsx'
import { projectQuery } from '#kit/references/projects.ts'
import { useTaskFacts } from '#nouns/tasks/task-facts.tsx'
import { TaskSection } from '#nouns/tasks/task-section.tsx'
import { t } from '#text/index.ts'

import { editRisk, riskQuery } from './actions.ts'
import { riskHistory, riskPages } from './queries.ts'
import { useIsAwaited, useRecordRound } from './review-round.ts'
import { primaryOf, RiskMenu } from './risk-actions.tsx'
import { useRiskDialogs } from './risk-dialogs.tsx'
import { RiskIssues } from './risk-issues.tsx'
import { isLive } from './risk-level.ts'
import { RiskNotices } from './risk-notices.tsx'
import { Acceptance, RiskProperties } from './risk-properties.tsx'
import { RiskRatings } from './risk-ratings.tsx'
import { useRiskReasons } from './risk-reasons.ts'

export function RiskPage() {
  const { project_id = '', risk_id: id = '' } = useParams({ strict: false })
  return (
    <RecordRoute
      query={riskQuery({ project_id, id })}
      title={t('word.risk')}
      crumbs={[]}
      advice={
        <>
          <p>{t('risk.missing.advice')}</p>
          <AnchorLink to="/risks" search={{}}>
            {t('risk.missing.link')}
          </AnchorLink>
        </>
      }
    >
      {(risk) => <RiskRecord key={risk.id} risk={risk} />}
    </RecordRoute>
  )
}

interface Props {
  readonly risk: Risk
}

function RiskRecord({ risk }: Props) {
  const { data: project } = useQuery(projectQuery(risk.project_id))
  const names = useAuthorNames()
  const history = useInfiniteQuery(riskHistory(risk, names))
  const reasons = useRiskReasons(risk, project)
  const isAwaited = useIsAwaited(risk)
  const { open, dialog } = useRiskDialogs(
    useRecordRound(),
    isAwaited && isLive(risk) ? { action: 'review', seen: risk } : null,
  )
  useShortcuts({ l: () => reasons.review === null && open('rate', risk) })
  const seesPeople = useMissingScopeReason('personnel.read') === null
  const primary = primaryOf(risk)
  return (
    <RecordPage
      title={`${risk.ref} ${risk.title}`}
      crumbs={[
        { to: '/risks', text: t('risks.title') },
        {
          ...projectAddress({ id: risk.project_id }),
          text: project?.name ?? risk.ref.split('-')[0] ?? '',
        },
      ]}
      name={risk.ref}
      neighbours={
        <Neighbours id={risk.id} source={riskPages(false, {}, seesPeople)} linkTo={riskAddress} />
      }
      actions={
        <>
          <RiskMenu risk={risk} reasons={reasons} open={open} />
          <ActionButton
            variant="filled"
            reason={reasons[primary]}
            data-shortcut="r"
            onClick={() => open(primary, risk)}
          >
            {t(`risk.${primary}`)}
          </ActionButton>
        </>
      }
      properties={
        <>
          <RiskProperties risk={risk} />
          <Acceptance risk={risk} />
          <RiskRatings risk={risk} project={project} history={history} />
          <MetadataSection metadata={risk.metadata} />
        </>
      }
    >
      <Head risk={risk} />
      <RiskNotices risk={risk} project={project} reasons={reasons} open={open} />
      <TaskSection
        title={t('risk.treatments')}
        subject={risk}
        defaultAssignee={risk.owner_user_id}
        reason={reasons.treat}
      />
      <RiskIssues risk={risk} />
      <LinksSection
        links={risk.links}
        reason={reasons.edit}
        onSave={(links) => editRisk(risk, { links })}
      />
      <Activity
        query={history}
        names={new Map(project && [[project.id, project.name]])}
        facts={useTaskFacts(risk.id)}
      />
      {dialog}
    </RecordPage>
  )
}

function Head({ risk }: Props) {
  const { ref, score, level, previous_score, status } = risk
  return (
    <RecordHead
      over={
        <>
          {ref}
          <ScoreChip score={score} level={level} withWord />
          <Trend score={score} previous={previous_score} />
        </>
      }
      title={risk.title}
      description={risk.description}
      facts={
        <>
          <StatusName set="riskStatus" status={status} />
          <PersonById userId={risk.owner_user_id} missing={t('word.no-owner')} />
          <When day={risk.review_on} missing={t('word.not-set')} isDone={!isLive(risk)} />
        </>
      }
    />
  )
}
