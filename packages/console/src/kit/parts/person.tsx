import { t } from '#text/index.ts'

import classes from './parts.module.css'

interface AvatarProps {
  /** Null if there is no person. */
  readonly name: string | null
  readonly size?: 20 | 24 | 40
  /** A suspended or departed person has an outline only. */
  readonly isInactive?: boolean
}

export function Avatar({ name, size = 20, isInactive = false }: AvatarProps) {
  const kind = name === null ? 'none' : isInactive ? 'off' : 'person'
  return (
    <span className={classes.avatar} data-size={size} data-kind={kind} aria-hidden>
      {name === null ? '' : initials(name)}
    </span>
  )
}

/** The first letters of the first and the last word. */
function initials(name: string): string {
  const words = name.split(/\s+/).filter((word) => /^\p{L}/u.test(word))
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words
  return ends
    .map((word) => word?.match(/\p{L}/u)?.[0] ?? '')
    .join('')
    .toLocaleUpperCase()
}

interface PersonNameProps {
  readonly name: string | null
  readonly isInactive?: boolean
  /** A word after the name, such as the status of someone who is not active. */
  readonly mark?: string | undefined
  /** The text without a person, in red; a missing owner is a problem. */
  readonly missing?: string
}

/** A person in a cell: initials and name on one line. */
export function PersonName({ name, isInactive = false, mark, missing }: PersonNameProps) {
  return (
    <span className={classes.inline} title={name ?? undefined}>
      <Avatar name={name} isInactive={isInactive} />
      <span
        className={name === null && missing !== undefined ? classes.late : 'cut'}
        data-name
        dir="auto"
      >
        {name ?? missing ?? t('person.none')}
      </span>
      {mark !== undefined && <small className={classes.mark}>{mark}</small>}
    </span>
  )
}
