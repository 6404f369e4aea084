import { t } from '#text/index.ts'
import { fieldLabel } from '#text/labels.ts'
import { isOwnField } from '#text/values.ts'

import { useRecordMark } from './record-mark.ts'

import classes from './record.module.css'

const namedMax = 3

/** Says for a moment which fields someone else has changed. */
export function ChangedNote() {
  const changed = useRecordMark()
  return (
    <div aria-live="polite" className={classes.changed}>
      {changed && <span>{textOf([...changed])}</span>}
    </div>
  )
}

function textOf(fields: readonly string[]): string {
  const names = fields.filter((field) => !isOwnField(field)).map(fieldLabel)
  if (names.length === 0 || names.length > namedMax) return t('record.changed')
  return t('record.changed.fields', { fields: names.join(', ') })
}
