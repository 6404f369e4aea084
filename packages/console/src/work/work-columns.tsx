import type { Assignment } from '@muster/contract'

import { t } from '#text/index.ts'
import { label } from '#text/labels.ts'
import { IconAlertTriangle, IconCheckbox, IconFlag, IconRefresh } from '#ui/icons/index.tsx'
import { IssueLink, RiskLink, TaskLink } from '#ui/links.tsx'
import type { Column } from '#ui/list/columns.ts'
import { Title } from '#ui/list/title.tsx'
import { Flags } from '#ui/parts/flags.tsx'
import { ScoreChip, SeverityChip } from '#ui/parts/score.tsx'
import { StatusGlyph } from '#ui/parts/status.tsx'
import { When } from '#ui/parts/when.tsx'

import type { WorkItem } from './queries.ts'

import classes from './work.module.css'

/** What an item is: the review of a risk and the risk itself differ. */
function kindOf({ work: { type }, group }: WorkItem) {
  if (type === 'issue') return { name: label('assignment', type), Icon: IconFlag }
  if (type === 'task') return { name: label('assignment', type), Icon: IconCheckbox }
  return group === 'risks'
    ? { name: label('assignment', type), Icon: IconAlertTriangle }
    : { name: t('work.kind.review'), Icon: IconRefresh }
}

/** A column has the late date, so these flags are not repeated. */
const shownElsewhere = ['review_overdue', 'overdue']

export const workColumns: readonly Column<WorkItem>[] = [
  {
    name: t('work.kind'),
    isNameHidden: true,
    width: '16px',
    from: 620,
    cell: (item) => {
      const { name, Icon } = kindOf(item)
      return <Icon size={15} role="img" aria-label={name} className={classes.kind} />
    },
  },
  {
    name: t('work.rating'),
    isNameHidden: true,
    width: '30px',
    phone: 'lead',
    cell: ({ work }) => (
      <span className={classes.rating}>
        <Rating work={work} />
      </span>
    ),
  },
  { name: t('work.ref'), width: '76px', phone: 'meta', cell: ({ work }) => work.ref },
  {
    name: t('work.what'),
    width: 'minmax(0, 1fr)',
    phone: 'title',
    cell: ({ work }) => (
      <Title
        end={
          <Flags
            set={work.type === 'risk' ? 'riskFlag' : 'issueFlag'}
            flags={work.flags}
            except={shownElsewhere}
          />
        }
      >
        <WorkLink work={work} />
      </Title>
    ),
  },
  {
    name: t('work.status'),
    width: '110px',
    from: 820,
    cell: ({ work }) => label(statusSets[work.type], work.status),
  },
  {
    name: t('filter.project'),
    width: '190px',
    from: 820,
    cell: ({ work }) => work.project.name,
  },
  {
    name: t('work.due'),
    width: '96px',
    phone: 'end',
    cell: ({ work }) => <When day={work.due_on} />,
  },
]

const statusSets = {
  project: 'projectStatus',
  risk: 'riskStatus',
  issue: 'issueStatus',
  task: 'taskStatus',
} as const

function Rating({ work: { score, level, severity, status } }: { readonly work: Assignment }) {
  if (score !== null && level !== null) return <ScoreChip score={score} level={level} />
  return severity === null ? <StatusGlyph status={status} /> : <SeverityChip severity={severity} />
}

function WorkLink({ work: { type, id, project_id, title } }: { readonly work: Assignment }) {
  const Link = type === 'risk' ? RiskLink : type === 'issue' ? IssueLink : TaskLink
  return (
    <Link id={id} project_id={project_id} inherit>
      {title}
    </Link>
  )
}
