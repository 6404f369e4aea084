import type { Risk, RiskPatch } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'

import { FieldProperty } from '#kit/fields/field-property.tsx'
import { Age } from '#kit/parts/age.tsx'
import { AnchorLink } from '#kit/parts/links.tsx'
import { Property, PropertySection } from '#kit/record/property.tsx'
import { PersonById } from '#kit/references/people.tsx'
import { ProjectLink } from '#kit/references/project-link.tsx'
import { projectQuery } from '#kit/references/projects.ts'
import { formatDay, formatInstant } from '#text/dates.ts'
import { t } from '#text/index.ts'

import { KeptScore, keptAppetite } from './acceptance-columns.tsx'
import { saveRisk } from './actions.ts'
import { liveStatuses, responsesOf, riskFields } from './fields.ts'
import { isLive, reviewIntervals, suggestedReview } from './risk-level.ts'
import { useRiskReasons } from './risk-reasons.ts'

interface Props {
  readonly risk: Risk
}

const { status, response, category, owner_user_id, review_on, tags, external_id } = riskFields

/** The properties of a risk. Each saves at once. */
export function RiskProperties({ risk }: Props) {
  const { data: project } = useQuery(projectQuery(risk.project_id))
  const { edit: reason, assign } = useRiskReasons(risk, project)
  const property = {
    of: risk,
    reason,
    onSave: (changes: RiskPatch) => saveRisk(risk, changes),
  }
  return (
    <dl>
      <FieldProperty
        {...property}
        field={status}
        reason={reason ?? (isLive(risk) ? null : t('risk.field.status.fixed'))}
        offered={liveStatuses}
      />
      <FieldProperty {...property} field={response} offered={responsesOf(risk.response)} />
      <FieldProperty {...property} field={category} />
      <FieldProperty {...property} field={owner_user_id} reason={assign} />
      <FieldProperty
        {...property}
        field={review_on}
        suggested={suggestedReview(risk.level)}
        intervals={reviewIntervals}
        isDone={!isLive(risk)}
      />
      <Origin risk={risk} />
      <FieldProperty {...property} field={tags} />
      <FieldProperty {...property} field={external_id} />
    </dl>
  )
}

/** Where the risk belongs, and when it was identified, raised and changed. */
function Origin({ risk }: Props) {
  const { last_reviewed_at } = risk
  return (
    <>
      <Property name={t('word.project')}>
        <ProjectLink id={risk.project_id} />
      </Property>
      <Property name={t('risk.last-reviewed')}>
        {last_reviewed_at === null ? t('word.never') : <Age at={last_reviewed_at} />}
      </Property>
      <Property name={t('risk.identified')}>
        <Age at={risk.identified_at} />
      </Property>
      <Property name={t('risk.created')}>
        <Age at={risk.created_at} />
      </Property>
      <Property name={t('word.updated')}>
        <Age at={risk.updated_at} />
      </Property>
    </>
  )
}

/** Who accepted the risk, until when, why, at which score and under which appetite. */
export function Acceptance({ risk: { acceptance, project_id } }: Props) {
  if (acceptance === null) return null
  return (
    <PropertySection
      title={t('risk.acceptance')}
      aside={
        <AnchorLink to="/risks" search={{ view: 'acceptances', project_id }} size="sm">
          {t('risk.acceptance.all')}
        </AnchorLink>
      }
    >
      <dl>
        <Property name={t('word.accepted-by')}>
          <PersonById userId={acceptance.accepted_by_user_id} />
        </Property>
        <Property name={t('risk.acceptance.at')}>
          <time dateTime={acceptance.accepted_at}>{formatInstant(acceptance.accepted_at)}</time>
        </Property>
        <Property name={t('risk.acceptance.until')}>{formatDay(acceptance.expires_on)}</Property>
        <Property name={t('word.score-then')}>
          <KeptScore {...acceptance} />
        </Property>
        <Property name={t('word.appetite-then')}>{keptAppetite(acceptance)}</Property>
        <Property name={t('risk.rationale')}>{acceptance.rationale}</Property>
      </dl>
    </PropertySection>
  )
}
