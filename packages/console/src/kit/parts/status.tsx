import { label, type LabelSet } from '#text/labels.ts'

import classes from './parts.module.css'

type Kind = 'empty' | 'dashed' | 'half' | 'full' | 'done' | 'blocked' | 'occurred' | 'off'

/** The shape of each status. Statuses of all nouns share their shapes. */
const kinds: Readonly<Record<string, Kind>> = {
  identified: 'dashed',
  treating: 'half',
  monitoring: 'full',
  occurred: 'occurred',
  closed: 'done',
  open: 'empty',
  in_progress: 'half',
  blocked: 'blocked',
  todo: 'empty',
  done: 'done',
  cancelled: 'off',
  planned: 'dashed',
  active: 'full',
  on_hold: 'blocked',
  completed: 'done',
  archived: 'off',
  suspended: 'blocked',
  departed: 'off',
  expired: 'off',
  revoked: 'off',
}

const shapes: Readonly<Record<Kind, React.ReactNode>> = {
  empty: null,
  dashed: null,
  half: <path d="M7 3.4a3.6 3.6 0 0 1 0 7.2z" fill="currentColor" stroke="none" />,
  full: <circle cx="7" cy="7" r="3.2" fill="currentColor" stroke="none" />,
  done: <path d="M4.4 7.2l1.8 1.8 3.4-3.8" />,
  blocked: <path d="M4.4 7h5.2" />,
  occurred: <path d="M7 4v3.6M7 9.6v.4" />,
  off: <path d="M4.8 4.8l4.4 4.4M9.2 4.8l-4.4 4.4" />,
}

export function StatusGlyph({ status }: { readonly status: string }) {
  const kind = kinds[status] ?? 'empty'
  return (
    <svg
      className={classes.glyph}
      data-kind={kind}
      viewBox="0 0 14 14"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.4}
      aria-hidden
    >
      <circle cx="7" cy="7" r="5.6" {...(kind === 'dashed' && { strokeDasharray: '2 1.6' })} />
      {shapes[kind]}
    </svg>
  )
}

interface Props {
  readonly set: LabelSet
  readonly status: string
}

/** A status with its shape. */
export const StatusName = ({ set, status }: Props) => (
  <span className={classes.inline}>
    <StatusGlyph status={status} />
    <span className="cut">{label(set, status)}</span>
  </span>
)
