import { labels } from '#text/en/labels.ts'

export type LabelSet = keyof typeof labels

/** Display name of an API value. A value newer than this console is shown unchanged. */
export function label(set: LabelSet, word: string): string {
  const words: Readonly<Record<string, string>> = labels[set]
  return words[word] ?? word
}

/** Options of a select field, in the order of the set. */
export const choices = (set: LabelSet) =>
  Object.entries(labels[set]).map(([value, name]) => ({ value, label: name }))

/** Display name of an API field: `owner_user_id` is “Owner”, `lead_user_ids` is “Leads”. */
export function fieldLabel(field: string): string {
  if (field in labels.field) return label('field', field)
  const words = field.replace(/(?:_user)?_id(s?)$/, '$1').replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
