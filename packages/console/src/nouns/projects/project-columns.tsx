import type { ListedProject, ProjectSummary } from '@muster/contract'

import { projectAddress } from '#data/addresses.ts'
import { fromList } from '#data/order.ts'
import type { Column } from '#kit/list/columns.ts'
import { Title } from '#kit/list/title.tsx'
import { Tags } from '#kit/parts/flags.tsx'
import { healthName, HealthShape } from '#kit/parts/health.tsx'
import { LevelBar } from '#kit/parts/level-bar.tsx'
import { AnchorLink } from '#kit/parts/links.tsx'
import { ScoreChip, SeverityChip } from '#kit/parts/score.tsx'
import { When } from '#kit/parts/when.tsx'
import { PersonById } from '#kit/references/people.tsx'
import { formatNumber, t } from '#text/index.ts'
import { label } from '#text/labels.ts'

import { HealthAge } from './health.tsx'

import classes from './projects.module.css'

const levels = ['critical', 'high', 'medium', 'low'] as const

/** The highest score of the live risks in the colour of its level. */
function HighestScore({ summary }: { readonly summary: ProjectSummary }) {
  const level = levels.find((each) => summary.risks_by_level[each] > 0)
  if (level === undefined || summary.highest_score === null) return null
  return <ScoreChip score={summary.highest_score} level={level} />
}

/** `most` is the most live risks of a listed project: the scale of the bars. */
export const projectColumns = (most: number): readonly Column<ListedProject>[] => [
  {
    name: t('word.health'),
    isNameHidden: true,
    width: '14px',
    phone: 'lead',
    cell: ({ health }) => <HealthShape health={health} />,
  },
  { name: t('project.code'), width: '58px', phone: 'meta', cell: ({ code }) => code },
  {
    name: t('word.project'),
    sort: 'name',
    width: 'minmax(0, 1fr)',
    phone: 'title',
    cell: (project) => <NameAndReport project={project} />,
  },
  {
    name: t('word.owner'),
    sort: 'owner',
    width: '150px',
    narrow: '28px',
    cell: ({ owner_user_id }) => <PersonById userId={owner_user_id} missing={t('word.no-owner')} />,
  },
  {
    name: t('projects.risks'),
    width: '130px',
    from: 620,
    cell: ({ summary }) =>
      summary && (
        <span className={classes.risks}>
          <span className="number">{formatNumber(summary.live_risks)}</span>
          <LevelBar counts={summary.risks_by_level} most={most} />
        </span>
      ),
  },
  {
    name: t('projects.worst'),
    sort: 'worst',
    isSortReversed: true,
    width: '56px',
    from: 620,
    cell: ({ summary }) => summary && <HighestScore summary={summary} />,
  },
  {
    name: t('issues.title'),
    width: '64px',
    from: 820,
    cell: ({ summary }) => summary && <OpenIssues summary={summary} />,
  },
  {
    name: t('word.due'),
    sort: 'due_on',
    width: '88px',
    from: 820,
    phone: 'end',
    cell: ({ due_on, status }) => <When day={due_on} isDone={status === 'completed'} />,
  },
  {
    name: t('projects.reported'),
    width: '150px',
    from: 1100,
    cell: (project) => (
      <span className={classes.report}>
        <HealthAge project={project} />
      </span>
    ),
  },
]

/** The number of open issues and the highest severity. */
const OpenIssues = ({ summary }: { readonly summary: ProjectSummary }) => (
  <span className={classes.risks}>
    <span className="number">{formatNumber(summary.open_issues)}</span>
    {summary.highest_severity !== null && <SeverityChip severity={summary.highest_severity} />}
  </span>
)

/** The name with its status, above the last report. */
function NameAndReport({ project }: { readonly project: ListedProject }) {
  const { id, name, status, health, health_note } = project
  return (
    <span className={classes.two}>
      <Title>
        <AnchorLink {...projectAddress({ id })} state={fromList} inherit>
          {name}
        </AnchorLink>
        {status !== 'active' && <Tags tags={[label('projectStatus', status)]} />}
      </Title>
      <span className={classes.note}>
        <b>{healthName(health)}</b> {health_note}
      </span>
    </span>
  )
}
