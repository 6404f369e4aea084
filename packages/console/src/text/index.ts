import { en } from './en/index.ts'

/** Message catalogue. Another language is another object of the same shape. */
const catalogue = en
type Catalogue = typeof catalogue
export type TextKey = keyof Catalogue
type Values = Readonly<Record<string, string | number>>

/** A plain text, or one form for each English plural category. */
type Text = string | { readonly one: string; readonly other: string }

const language = 'en'

/** Dates and numbers follow the browser if its language is English, as the texts are. */
export const locale = /^en\b/i.test(navigator.language) ? navigator.language : language

const plural = new Intl.PluralRules(language)
const number = new Intl.NumberFormat(locale)

/** Returns a text with its `{placeholders}` filled. `count` selects the plural form. */
export function t(key: TextKey, values: Values = {}): string {
  const text: Text = catalogue[key]
  const form = typeof text === 'string' ? text : pluralForm(text, Number(values['count'] ?? 0))
  return form.replaceAll(/\{(\w+)\}/g, (_, name: string) => formatPlaceholder(values[name] ?? ''))
}

function pluralForm(text: Exclude<Text, string>, count: number): string {
  return plural.select(count) === 'one' ? text.one : text.other
}

const formatPlaceholder = (value: string | number) =>
  typeof value === 'number' ? number.format(value) : value

export const formatNumber = (value: number) => number.format(value)
