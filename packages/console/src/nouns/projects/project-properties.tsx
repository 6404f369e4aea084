import type { Project } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'

import { showError } from '#kit/feedback/toast.tsx'
import { HealthName } from '#kit/parts/health.tsx'
import { LevelBar, levelCounts } from '#kit/parts/level-bar.tsx'
import { AnchorLink } from '#kit/parts/links.tsx'
import { PersonName } from '#kit/parts/person.tsx'
import { StatusName } from '#kit/parts/status.tsx'
import {
  ChoiceEditor,
  DateEditor,
  EditableProperty,
  PersonEditor,
  Property,
  PropertySection,
} from '#kit/record/property.tsx'
import { issueSummaryQuery } from '#nouns/issues/queries.ts'
import { riskSummaryQuery } from '#nouns/risks/queries.ts'
import { formatAge, formatDay, formatInstant } from '#text/dates.ts'
import { formatNumber, t } from '#text/index.ts'

import { changeProject, type CurrentStatus, type ProjectChanges } from './actions.ts'
import { useReadOnlyReason } from './project-actions.tsx'
import { currentStatuses } from './project-fields.tsx'

interface Props {
  readonly project: Project
  readonly names: ReadonlyMap<string, string>
}

export const ProjectProperties = ({ project, names }: Props) => (
  <>
    <dl>
      <Details project={project} names={names} />
    </dl>
    <Metadata project={project} />
    <Attention project={project} />
  </>
)

function Metadata({ project: { metadata } }: Pick<Props, 'project'>) {
  const entries = Object.entries(metadata)
  if (entries.length === 0) return null
  return (
    <PropertySection title={t('project.metadata')}>
      <dl>
        {entries.map(([name, value]) => (
          <Property key={name} name={name}>
            {value}
          </Property>
        ))}
      </dl>
    </PropertySection>
  )
}

const appetites = [
  { value: '', label: t('project.appetite.none') },
  ...Array.from({ length: 25 }, (_, index) => ({
    value: String(index + 1),
    label: t('project.appetite.up-to', { score: index + 1 }),
  })),
]

const dayText = (date: string | null) => (date === null ? t('project.no-date') : formatDay(date))

function Details({ project, names }: Props) {
  const reason = useReadOnlyReason(project)
  const { owner_user_id, risk_appetite: appetite } = project
  const save = (changes: ProjectChanges) => changeProject(project, changes).catch(showError)
  return (
    <>
      <EditableProperty
        name={t('projects.status')}
        reason={reason}
        shortcut="s"
        edit={(close) => (
          <ChoiceEditor
            label={t('projects.status')}
            value={project.status}
            choices={currentStatuses}
            // The cast holds because only the values of the set are offered.
            onSave={(status) => save({ status: status as CurrentStatus })}
            close={close}
          />
        )}
      >
        <StatusName set="projectStatus" status={project.status} />
      </EditableProperty>
      <Property name={t('projects.health')}>
        <HealthName health={project.health} />
      </Property>
      <EditableProperty
        name={t('projects.owner')}
        reason={reason}
        shortcut="a"
        edit={(close) => (
          <PersonEditor
            label={t('projects.owner')}
            value={owner_user_id}
            onSave={(id) => save({ owner_user_id: id })}
            close={close}
          />
        )}
      >
        <PersonName
          name={owner_user_id && (names.get(owner_user_id) ?? '…')}
          missing={t('projects.no-owner')}
        />
      </EditableProperty>
      <DateProperty project={project} field="starts_on" save={save} />
      <DateProperty project={project} field="due_on" save={save} />
      <EditableProperty
        name={t('project.appetite.short')}
        reason={reason}
        edit={(close) => (
          <ChoiceEditor
            label={t('project.appetite.about')}
            value={String(appetite ?? '')}
            choices={appetites}
            onSave={(score) => save({ risk_appetite: score === '' ? null : Number(score) })}
            close={close}
          />
        )}
      >
        {appetite === null
          ? t('project.appetite.none')
          : t('project.appetite.up-to', { score: appetite })}
      </EditableProperty>
      <Property name={t('project.code')}>{project.code}</Property>
      <Property name={t('project.updated')}>
        <span title={formatInstant(project.updated_at)}>{formatAge(project.updated_at)}</span>
      </Property>
    </>
  )
}

interface DateProps extends Pick<Props, 'project'> {
  readonly field: 'starts_on' | 'due_on'
  readonly save: (changes: ProjectChanges) => Promise<unknown>
}

function DateProperty({ project, field, save }: DateProps) {
  const isDue = field === 'due_on'
  const name = t(isDue ? 'project.due-on' : 'project.starts-on')
  return (
    <EditableProperty
      name={name}
      reason={useReadOnlyReason(project)}
      {...(isDue && { shortcut: 'd' })}
      edit={(close) => (
        <DateEditor
          label={name}
          value={project[field]}
          onSave={(date) => save({ [field]: date })}
          close={close}
        />
      )}
    >
      {dayText(project[field])}
    </EditableProperty>
  )
}

/** Counts of what the project has and of what needs attention. Each links to its list. */
function Attention({ project: { id } }: Pick<Props, 'project'>) {
  const search = { project_id: id }
  const { data: risks } = useQuery(riskSummaryQuery(search, 'current'))
  const { data: issues } = useQuery(issueSummaryQuery(search))
  return (
    <section aria-label={t('project.attention')}>
      <h2>{t('project.attention')}</h2>
      <dl>
        {risks && (
          <>
            <Property name={t('projects.risks')}>
              <AnchorLink to="/risks" search={search} inherit>
                {formatNumber(risks.count)}
              </AnchorLink>
              <LevelBar counts={risks.by_level} />
              <small>{levelCounts(risks.by_level)}</small>
            </Property>
            <Property name={t('project.above')}>
              <AnchorLink to="/risks" search={{ ...search, flag: 'above_appetite' }} inherit>
                {formatNumber(risks.by_flag.above_appetite)}
              </AnchorLink>
            </Property>
            <Property name={t('project.reviews')}>
              <AnchorLink to="/risks" search={{ ...search, flag: 'review_overdue' }} inherit>
                {formatNumber(risks.by_flag.review_overdue)}
              </AnchorLink>
            </Property>
          </>
        )}
        {issues && (
          <>
            <Property name={t('projects.issues')}>
              <AnchorLink to="/issues" search={search} inherit>
                {formatNumber(issues.count)}
              </AnchorLink>
            </Property>
            <Property name={t('project.issues.late')}>
              <AnchorLink to="/issues" search={{ ...search, flag: 'overdue' }} inherit>
                {formatNumber(issues.by_flag.overdue)}
              </AnchorLink>
            </Property>
          </>
        )}
      </dl>
    </section>
  )
}
