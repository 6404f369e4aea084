import type { Project, Risk } from '@muster/contract'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'

import { allItems } from '#data/lists.ts'
import { ActionButton } from '#kit/parts/action-button.tsx'
import { ButtonLink } from '#kit/parts/links.tsx'
import { RecordNotice } from '#kit/record/record-page.tsx'
import { isOpenTask, tasksOfSubject } from '#nouns/tasks/queries.ts'
import { formatDay, formatInstant } from '#text/dates.ts'
import { t } from '#text/index.ts'
import { label } from '#text/labels.ts'

import { riskIssues } from './queries.ts'
import type { OpenRiskDialog, RiskAction } from './risk-dialogs.tsx'
import { isAccepted } from './risk-level.ts'
import type { RiskReasons } from './risk-reasons.ts'

interface Props {
  readonly risk: Risk
  readonly project: Project | undefined
  readonly reasons: RiskReasons
  readonly open: OpenRiskDialog
}

/** What needs attention, each with its remedy, and why a risk cannot be worked on. */
export function RiskNotices(props: Props) {
  const { risk, project } = props
  const { flags, status } = risk
  const isAbove = flags.includes('above_appetite') && !isAccepted(risk)
  return (
    <>
      {project?.status === 'archived' && (
        <RecordNotice>
          <b>{t('risk.is-archived', { code: project.code })}</b> {t('risk.is-archived.about')}
        </RecordNotice>
      )}
      {status === 'occurred' && <Occurred risk={risk} />}
      {status === 'closed' && <Closed risk={risk} />}
      {isAbove && <AboveAppetite {...props} />}
      {flags.includes('acceptance_expired') && risk.acceptance && (
        <Alarm {...props} action="review" flag="acceptance_expired">
          {t('risk.notice.expired', { day: formatDay(risk.acceptance.expires_on) })}
        </Alarm>
      )}
      {flags.includes('review_overdue') && risk.review_on !== null && (
        <Alarm {...props} action="review" flag="review_overdue">
          {t('risk.notice.overdue', { day: formatDay(risk.review_on) })}
        </Alarm>
      )}
    </>
  )
}

interface AlarmProps extends Props {
  readonly flag: Risk['flags'][number]
  readonly action: Extract<RiskAction, 'review' | 'treat'>
  readonly children: string
}

function Alarm({ risk, reasons, open, flag, action, children }: AlarmProps) {
  return (
    <RecordNotice
      kind="alarm"
      action={
        <ActionButton
          variant="subtle"
          color="gray"
          reason={reasons[action]}
          onClick={() => open(action, risk)}
        >
          {t(action === 'review' ? 'risk.review.now' : 'risk.treat')}
        </ActionButton>
      }
    >
      <b>{label('riskFlag', flag)}.</b> {children}
    </RecordNotice>
  )
}

function AboveAppetite(props: Props) {
  const { risk, project } = props
  const { data } = useInfiniteQuery(tasksOfSubject(risk.id))
  const count = allItems(data).filter(isOpenTask).length
  const appetite = project?.risk_appetite
  const texts = [
    ...(typeof appetite === 'number'
      ? [t('risk.notice.appetite', { code: project?.code ?? '', appetite })]
      : []),
    ...(data ? [t('risk.notice.treatments', { count })] : []),
  ]
  return (
    <Alarm {...props} action="treat" flag="above_appetite">
      {texts.join(' ')}
    </Alarm>
  )
}

function Occurred({ risk }: Pick<Props, 'risk'>) {
  const { data } = useQuery(riskIssues(risk, 1))
  const issue = data?.[0]
  return (
    <RecordNotice
      action={
        issue && (
          <ButtonLink
            to="/projects/$project_id/issues/$issue_id"
            params={{ project_id: issue.project_id, issue_id: issue.id }}
            size="compact-sm"
          >
            {t('risk.is-occurred.link', { ref: issue.ref })}
          </ButtonLink>
        )
      }
    >
      <b>{t('risk.is-occurred')}</b> {t('risk.is-occurred.about')}
    </RecordNotice>
  )
}

function Closed({ risk: { close_reason, close_note, closed_at } }: Pick<Props, 'risk'>) {
  const reason = close_reason === null ? '' : label('riskCloseReason', close_reason)
  return (
    <RecordNotice>
      <b>{t('risk.is-closed', { reason })}</b>{' '}
      {closed_at && t('risk.is-closed.about', { day: formatInstant(closed_at) })} {close_note}
    </RecordNotice>
  )
}
