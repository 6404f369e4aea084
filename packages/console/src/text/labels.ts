import { labels } from './en/labels.ts'

export type LabelSet = keyof typeof labels

/** What a word of the API is called; one that came after this console is shown as it is. */
export function label(set: LabelSet, word: string): string {
  const words: Readonly<Record<string, string>> = labels[set]
  return words[word] ?? word
}

/** The words of a set with their names, in their order, as a choice offers them. */
export const choices = (set: LabelSet) =>
  Object.entries(labels[set]).map(([value, name]) => ({ value, label: name }))

/** A field of the API in words: `owner_user_id` is “Owner”, `lead_user_ids` “Leads”. */
export function fieldLabel(field: string): string {
  if (field in labels.field) return label('field', field)
  const words = field.replace(/(?:_user)?_id(s?)$/, '$1').replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
