import { Button } from '@mantine/core'
import type { ListedProject } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'

import { Peek } from '#kit/list/peek.tsx'
import type { PeekProps } from '#kit/list/record-list.tsx'
import { HealthName } from '#kit/parts/health.tsx'
import { StatusName } from '#kit/parts/status.tsx'
import { Property } from '#kit/record/property.tsx'
import { RecordHead } from '#kit/record/record-page.tsx'
import { PersonLink, usePersonNames } from '#kit/references/people.tsx'
import { t } from '#text/index.ts'

import { CountProperty, RisksProperty } from './counts.tsx'
import { HealthAge } from './health.tsx'
import { dayText } from './project-properties.tsx'
import { openTaskCountQuery } from './queries.ts'

import classes from './projects.module.css'

/** A project in short, beside the list. */
export function ProjectPeek({ item: project, onOpen, onClose }: PeekProps<ListedProject>) {
  const { id, code, name, description, health, health_note, summary, owner_user_id } = project
  const { data: tasks } = useQuery(openTaskCountQuery(id))
  const names = usePersonNames([owner_user_id])
  const search = { project_id: id }
  return (
    <Peek
      title={t('word.project')}
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
        <Property name={t('word.status')}>
          <StatusName set="projectStatus" status={project.status} />
        </Property>
        <Property name={t('word.owner')}>
          <PersonLink userId={owner_user_id} names={names} />
        </Property>
        <Property name={t('word.due')}>{dayText(project.due_on)}</Property>
        {summary && (
          <>
            <RisksProperty
              search={search}
              count={summary.live_risks}
              byLevel={summary.risks_by_level}
            />
            <CountProperty
              name={t('issues.list')}
              to="/issues"
              search={search}
              count={summary.open_issues}
            />
          </>
        )}
        <CountProperty name={t('project.tasks-open')} to="/tasks" search={search} count={tasks} />
      </dl>
    </Peek>
  )
}
