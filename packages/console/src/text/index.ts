import { en } from '#text/en/index.ts'

/** Message catalogue. Another language is another object of the same shape. */
const catalogue = en
type Catalogue = typeof catalogue
export type TextKey = keyof Catalogue

/** Whether there is a text for a key that is made from a value of the API. */
export const isTextKey = (key: string): key is TextKey => key in catalogue

type Values = Readonly<Record<string, string | number>>

/** A plain text, or one form for each English plural category. */
type Text = string | { readonly one: string; readonly other: string }

const language = 'en'
const britain = 'en-GB'

/** The locale of an English browser, otherwise that of Britain: months and weekdays are words too. */
function findLocale(): string {
  const [first = britain, ...others] = navigator.languages
  if (!/^en\b/i.test(first)) return britain
  return [first, ...others].find((each) => /^en-/i.test(each)) ?? britain
}

/** The locale of dates and numbers. */
export const locale = findLocale()

/** Times have 12 or 24 hours as in the first language of the browser. */
export const { hourCycle = 'h23' } = new Intl.DateTimeFormat(navigator.languages[0], {
  hour: 'numeric',
}).resolvedOptions()

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
