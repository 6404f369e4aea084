import type { Project, Risk } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'

import { Age } from '#kit/parts/age.tsx'
import { Tags } from '#kit/parts/flags.tsx'
import { AnchorLink } from '#kit/parts/links.tsx'
import { StatusName } from '#kit/parts/status.tsx'
import { When } from '#kit/parts/when.tsx'
import {
  ChoiceEditor,
  DateEditor,
  EditableProperty,
  PersonEditor,
  Property,
  PropertySection,
  TagsEditor,
} from '#kit/record/property.tsx'
import { PersonById } from '#kit/references/people.tsx'
import { projectQuery } from '#kit/references/projects.ts'
import { formatDay, formatInstant } from '#text/dates.ts'
import { t } from '#text/index.ts'
import { choices, label } from '#text/labels.ts'

import { KeptScore, keptAppetite } from './acceptance-columns.tsx'
import { saveRisk } from './actions.ts'
import { isLive, reviewIntervals, suggestedReview } from './risk-level.ts'
import { type RiskReasons, useRiskReasons } from './risk-reasons.ts'

interface Props {
  readonly risk: Risk
}

/** The properties of a risk. Each saves at once. */
export function RiskProperties({ risk }: Props) {
  const { data: project } = useQuery(projectQuery(risk.project_id))
  const reasons = useRiskReasons(risk, project)
  return (
    <dl>
      <Choices risk={risk} reasons={reasons} />
      <EditableProperty
        name={t('risk.field.owner')}
        reason={reasons.assign}
        shortcut="a"
        edit={(close) => (
          <PersonEditor
            label={t('risk.field.owner')}
            value={risk.owner_user_id}
            onSave={(owner_user_id) => saveRisk(risk, { owner_user_id })}
            close={close}
          />
        )}
      >
        <PersonById userId={risk.owner_user_id} missing={t('risks.no-owner')} />
      </EditableProperty>
      <EditableProperty
        name={t('risk.review-on')}
        reason={reasons.edit}
        shortcut="d"
        edit={(close) => (
          <DateEditor
            label={t('risk.review-on')}
            value={risk.review_on}
            suggested={suggestedReview(risk.level)}
            intervals={reviewIntervals}
            onSave={(review_on) => saveRisk(risk, { review_on })}
            close={close}
          />
        )}
      >
        <When day={risk.review_on} missing={t('risks.not-set')} isDone={!isLive(risk)} />
      </EditableProperty>
      <Origin risk={risk} project={project} />
      <EditableProperty
        name={t('risk.field.tags')}
        reason={reasons.edit}
        edit={(close) => (
          <TagsEditor
            label={t('risk.field.tags')}
            value={risk.tags}
            onSave={(tags) => saveRisk(risk, { tags: [...new Set(tags)].toSorted() })}
            close={close}
          />
        )}
      >
        {risk.tags.length === 0 ? t('risk.none') : <Tags tags={risk.tags} />}
      </EditableProperty>
    </dl>
  )
}

interface ChoicesProps extends Props {
  readonly reasons: RiskReasons
}

/** Status, response and category. Accepting is an action of its own. */
function Choices({ risk, reasons }: ChoicesProps) {
  const isAcceptance = risk.response === 'accept'
  const properties = [
    {
      field: 'status',
      set: 'riskStatus',
      reason: reasons.edit ?? (isLive(risk) ? null : t('risk.field.status.fixed')),
      isOffered: (value: string) => isLive({ status: value }),
      shortcut: 's',
    },
    {
      field: 'response',
      set: 'riskResponse',
      reason: reasons.edit,
      isOffered: (value: string) => value !== 'accept' || isAcceptance,
    },
    { field: 'category', set: 'riskCategory', reason: reasons.edit, isOffered: () => true },
  ] as const
  return properties.map(({ field, set, reason, isOffered, ...rest }) => {
    const name = t(`risk.field.${field}`)
    return (
      <EditableProperty
        key={field}
        name={name}
        reason={reason}
        {...rest}
        edit={(close) => (
          <ChoiceEditor
            label={name}
            value={risk[field]}
            choices={choices(set).filter(({ value }) => isOffered(value))}
            onSave={(value) => saveRisk(risk, { [field]: value })}
            close={close}
          />
        )}
      >
        {field === 'status' ? (
          <StatusName set={set} status={risk.status} />
        ) : (
          label(set, risk[field])
        )}
      </EditableProperty>
    )
  })
}

interface OriginProps extends Props {
  readonly project: Project | undefined
}

/** Where the risk belongs, and when it was raised and changed. */
function Origin({ risk, project }: OriginProps) {
  const { last_reviewed_at } = risk
  return (
    <>
      <Property name={t('risk.field.project')}>
        {project && (
          <AnchorLink to="/projects/$project_id" params={{ project_id: project.id }} inherit>
            {project.name}
          </AnchorLink>
        )}
      </Property>
      <Property name={t('risk.last-reviewed')}>
        {last_reviewed_at === null ? t('risk.never') : <Age at={last_reviewed_at} />}
      </Property>
      <Property name={t('risk.created')}>
        <Age at={risk.created_at} />
      </Property>
      <Property name={t('risk.updated')}>
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
        <Property name={t('risk.acceptance.by')}>
          <PersonById userId={acceptance.accepted_by_user_id} />
        </Property>
        <Property name={t('risk.acceptance.at')}>
          <time dateTime={acceptance.accepted_at}>{formatInstant(acceptance.accepted_at)}</time>
        </Property>
        <Property name={t('risk.acceptance.until')}>{formatDay(acceptance.expires_on)}</Property>
        <Property name={t('risk.acceptance.score')}>
          <KeptScore {...acceptance} />
        </Property>
        <Property name={t('risk.acceptance.appetite')}>{keptAppetite(acceptance)}</Property>
        <Property name={t('risk.rationale')}>{acceptance.rationale}</Property>
      </dl>
    </PropertySection>
  )
}

export function Metadata({ risk: { metadata } }: Props) {
  const entries = Object.entries(metadata)
  if (entries.length === 0) return null
  return (
    <section aria-label={t('risk.metadata')}>
      <h2>{t('risk.metadata')}</h2>
      <dl>
        {entries.map(([name, value]) => (
          <Property key={name} name={name}>
            {value}
          </Property>
        ))}
      </dl>
    </section>
  )
}
