import { label, type LabelSet } from '#text/labels.ts'

import classes from './parts.module.css'

interface Props {
  readonly set: LabelSet
  readonly flags: readonly string[]
  /** Flags that a column already shows, such as an overdue review. */
  readonly except?: readonly string[]
}

/** What has no column of its own. */
export const Flags = ({ set, flags, except = [] }: Props) =>
  flags
    .filter((flag) => !except.includes(flag))
    .map((flag) => (
      <span key={flag} className={classes.flag}>
        {label(set, flag)}
      </span>
    ))

export const Tags = ({ tags }: { readonly tags: readonly string[] }) =>
  tags.map((tag) => (
    <span key={tag} className={classes.tag}>
      {tag}
    </span>
  ))
