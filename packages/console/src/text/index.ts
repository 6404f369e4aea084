import { en } from './en/index.ts'

/**
 * What the console says. One catalogue, by language; English is complete, and another language is
 * another object of the same shape.
 */
const catalogue = en
type Catalogue = typeof catalogue
export type TextKey = keyof Catalogue
type Values = Readonly<Record<string, string | number>>

/** A text that depends on how many: as many forms as the language has. */
type Text = string | { readonly one: string; readonly other: string }

const language = 'en'
/** Dates and numbers are written as the reader's own country writes them. */
export const locale = navigator.language || language

const plural = new Intl.PluralRules(language)
const number = new Intl.NumberFormat(locale)

/** The text of this name, with its `{places}` filled. `count` chooses among plural forms. */
export function t(key: TextKey, values: Values = {}): string {
  const text: Text = catalogue[key]
  const form = typeof text === 'string' ? text : formFor(text, Number(values['count'] ?? 0))
  return form.replaceAll(/\{(\w+)\}/g, (_, name: string) => shown(values[name] ?? ''))
}

function formFor(text: Exclude<Text, string>, count: number): string {
  return plural.select(count) === 'one' ? text.one : text.other
}

const shown = (value: string | number) => (typeof value === 'number' ? number.format(value) : value)

export const formatNumber = (value: number) => number.format(value)
