import type { WorkItem } from '#data/my-work.ts'
import { IconAlertTriangle, IconCheckbox, IconFlag, IconRefresh } from '#kit/icons/index.tsx'
import type { Column } from '#kit/list/columns.ts'
import { WorkGlyph, WorkTitle, workStatusSets } from '#kit/list/work.tsx'
import { When } from '#kit/parts/when.tsx'
import { t } from '#text/index.ts'
import { label } from '#text/labels.ts'

import classes from './work.module.css'

/** What an item is: the review of a risk and the risk itself differ. */
function kindOf({ work: { type }, group }: WorkItem) {
  if (type === 'issue') return { name: label('assignment', type), Icon: IconFlag }
  if (type === 'task') return { name: label('assignment', type), Icon: IconCheckbox }
  return group === 'risks'
    ? { name: label('assignment', type), Icon: IconAlertTriangle }
    : { name: t('word.review'), Icon: IconRefresh }
}

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
        <WorkGlyph item={work} />
      </span>
    ),
  },
  {
    name: t('word.ref'),
    width: '76px',
    phone: 'meta',
    fit: ({ work }) => work.ref,
    cell: ({ work }) => work.ref,
  },
  {
    name: t('work.what'),
    width: 'minmax(0, 1fr)',
    phone: 'title',
    cell: ({ work }) => <WorkTitle item={work} />,
  },
  {
    name: t('word.status'),
    width: '110px',
    from: 820,
    cell: ({ work }) => label(workStatusSets[work.type], work.status),
  },
  {
    name: t('word.project'),
    width: '190px',
    from: 820,
    cell: ({ work }) => work.project.name,
  },
  {
    name: t('word.due'),
    width: '96px',
    phone: 'end',
    cell: ({ work }) => <When day={work.due_on} />,
  },
]
