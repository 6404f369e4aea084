import type { Project, ProjectPatch } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'

import { FieldProperty } from '#kit/fields/field-property.tsx'
import { Age } from '#kit/parts/age.tsx'
import { HealthName } from '#kit/parts/health.tsx'
import { ChoiceEditor, EditableProperty, MetadataSection, Property } from '#kit/record/property.tsx'
import { issueSummaryQuery } from '#nouns/issues/queries.ts'
import { riskSummaryQuery } from '#nouns/risks/queries.ts'
import { formatDay } from '#text/dates.ts'
import { t } from '#text/index.ts'

import { saveProject } from './actions.ts'
import { CountProperty, RisksProperty } from './counts.tsx'
import { currentStatuses, projectFields } from './fields.ts'
import { useReadOnlyReason } from './project-actions.tsx'

interface Props {
  readonly project: Project
}

export const ProjectProperties = ({ project }: Props) => (
  <>
    <dl>
      <Details project={project} />
    </dl>
    <MetadataSection metadata={project.metadata} />
    <Attention project={project} />
  </>
)

export const dayText = (date: string | null) =>
  date === null ? t('word.no-date') : formatDay(date)

function Details({ project }: Props) {
  const { status, owner_user_id, starts_on, due_on, external_id } = projectFields
  const property = {
    of: project,
    reason: useReadOnlyReason(project),
    onSave: (changes: ProjectPatch) => saveProject(project, changes),
  }
  return (
    <>
      <FieldProperty {...property} field={status} offered={currentStatuses} />
      <Property name={t('word.health')}>
        <HealthName health={project.health} />
      </Property>
      <FieldProperty {...property} field={owner_user_id} />
      <FieldProperty {...property} field={starts_on}>
        {dayText(project.starts_on)}
      </FieldProperty>
      <FieldProperty {...property} field={due_on}>
        {dayText(project.due_on)}
      </FieldProperty>
      <Appetite project={project} />
      <Property name={t('project.code')}>{project.code}</Property>
      <FieldProperty {...property} field={external_id} />
      <Property name={t('word.updated')}>
        <Age at={project.updated_at} />
      </Property>
    </>
  )
}

const appetiteText = (score: number | null) =>
  score === null ? t('word.not-set') : t('project.appetite.up-to', { score })

const appetites = [null, ...Array.from({ length: 25 }, (_, index) => index + 1)].map((score) => ({
  value: String(score ?? ''),
  label: appetiteText(score),
}))

function Appetite({ project }: Props) {
  const { risk_appetite: appetite } = project
  return (
    <EditableProperty
      name={t('project.appetite.short')}
      reason={useReadOnlyReason(project)}
      edit={(close) => (
        <ChoiceEditor
          label={t('project.appetite.about')}
          value={String(appetite ?? '')}
          choices={appetites}
          onSave={(score) =>
            saveProject(project, { risk_appetite: score === '' ? null : Number(score) })
          }
          close={close}
        />
      )}
    >
      {appetiteText(appetite)}
    </EditableProperty>
  )
}

/** Counts of what the project has and of what needs attention. Each links to its list. */
function Attention({ project: { id } }: Props) {
  const search = { project_id: id }
  const { data: risks } = useQuery(riskSummaryQuery(search, 'current'))
  const { data: issues } = useQuery(issueSummaryQuery(search))
  return (
    <section aria-label={t('project.attention')}>
      <h2>{t('project.attention')}</h2>
      <dl>
        {risks && (
          <>
            <RisksProperty search={search} count={risks.count} byLevel={risks.by_level} />
            <CountProperty
              name={t('word.above')}
              to="/risks"
              search={{ ...search, flag: 'above_appetite' }}
              count={risks.by_flag.above_appetite}
            />
            <CountProperty
              name={t('project.reviews')}
              to="/risks"
              search={{ ...search, flag: 'review_overdue' }}
              count={risks.by_flag.review_overdue}
            />
          </>
        )}
        {issues && (
          <>
            <CountProperty
              name={t('issues.list')}
              to="/issues"
              search={search}
              count={issues.count}
            />
            <CountProperty
              name={t('project.issues.late')}
              to="/issues"
              search={{ ...search, flag: 'overdue' }}
              count={issues.by_flag.overdue}
            />
          </>
        )}
      </dl>
    </section>
  )
}
