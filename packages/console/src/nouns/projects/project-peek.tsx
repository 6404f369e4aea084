import { Button } from '@mantine/core'
import type { ListedProject } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'

import { Peek } from '#kit/list/peek.tsx'
import { HealthName } from '#kit/parts/health.tsx'
import { LevelBar, levelCounts } from '#kit/parts/level-bar.tsx'
import { AnchorLink } from '#kit/parts/links.tsx'
import { StatusName } from '#kit/parts/status.tsx'
import { Property } from '#kit/record/property.tsx'
import { RecordHead } from '#kit/record/record-page.tsx'
import { PersonLink } from '#kit/references/people.tsx'
import { formatDay } from '#text/dates.ts'
import { formatNumber, t } from '#text/index.ts'

import { HealthAge } from './health.tsx'
import { openTaskCountQuery } from './queries.ts'

import classes from './projects.module.css'

interface Props {
  readonly project: ListedProject
  readonly names: ReadonlyMap<string, string>
  readonly onOpen: () => void
  readonly onClose: () => void
}

/** A project in short, beside the list. */
export function ProjectPeek({ project, names, onOpen, onClose }: Props) {
  const { id, code, name, description, health, health_note, summary, due_on } = project
  const { data: tasks } = useQuery(openTaskCountQuery(id))
  const search = { project_id: id }
  return (
    <Peek
      title={t('projects.project')}
      onOpen={onOpen}
      onClose={onClose}
      foot={<Button onClick={onOpen}>{t('project.open')}</Button>}
    >
      <RecordHead
        over={
          <>
            {code} <HealthName health={health} />
          </>
        }
        title={name}
        description={description}
      />
      {health_note !== null && <p className={classes.peekNote}>{health_note}</p>}
      <p className={classes.peekAge}>
        <HealthAge project={project} />
      </p>
      <dl className={classes.peekFacts}>
        <Property name={t('projects.status')}>
          <StatusName set="projectStatus" status={project.status} />
        </Property>
        <Property name={t('projects.owner')}>
          <PersonLink userId={project.owner_user_id} names={names} />
        </Property>
        <Property name={t('projects.due')}>
          {due_on === null ? t('project.no-date') : formatDay(due_on)}
        </Property>
        {summary && (
          <>
            <Property name={t('projects.risks')}>
              <AnchorLink to="/risks" search={search} inherit>
                {formatNumber(summary.live_risks)}
              </AnchorLink>
              <LevelBar counts={summary.risks_by_level} />
              <small>{levelCounts(summary.risks_by_level)}</small>
            </Property>
            <Property name={t('projects.issues')}>
              <AnchorLink to="/issues" search={search} inherit>
                {formatNumber(summary.open_issues)}
              </AnchorLink>
            </Property>
          </>
        )}
        <Property name={t('project.tasks-open')}>
          <AnchorLink to="/tasks" search={search} inherit>
            {typeof tasks === 'number' ? formatNumber(tasks) : '—'}
          </AnchorLink>
        </Property>
      </dl>
    </Peek>
  )
}
