import type { DayOrder, FieldType, ImportField } from '#pages/import/columns/field.ts'
import { fold, foldName } from '#pages/import/columns/fold.ts'
import { choices, label, type LabelSet } from '#text/labels.ts'

import { dayOf, momentOf } from './day.ts'
import { type Directory, emailKey } from './directory.ts'

/** Why a cell cannot be imported. Each one is the end of the key of a text. */
export type CellFault =
  | 'required'
  | 'repeated'
  | 'person'
  | 'person-twice'
  | 'project'
  | 'project-twice'
  | 'day'
  | 'rating'
  | 'score'
  | 'word'
  | 'email'

export type Converted =
  | { readonly value: string; readonly fault: null }
  | { readonly value: null; readonly fault: CellFault }

/** What cells of a column are converted with. */
export interface ConvertContext {
  readonly directory: Directory
  readonly order: DayOrder
}

const valid = (value: string): Converted => ({ value, fault: null })
const wrong = (fault: CellFault): Converted => ({ value: null, fault })
const validOr = (value: string | null, fault: CellFault) =>
  value === null ? wrong(fault) : valid(value)

type Convert = (text: string, context: ConvertContext) => Converted

const byType: Readonly<Record<Exclude<FieldType, object>, Convert>> = {
  text: valid,
  email: (text) => (/^[^\s@]+@[^\s@]+$/.test(text) ? valid(text) : wrong('email')),
  rating: (text) => validOr(wholeOf(text, 5), 'rating'),
  score: (text) => validOr(wholeOf(text, 25), 'score'),
  day: (text, { order }) => validOr(dayOf(text, order), 'day'),
  moment: (text, { order }) => validOr(momentOf(text, order), 'day'),
  person: (text, { directory }) => onlyOne(findPerson(text, directory), 'person'),
  project: (text, { directory }) => onlyOne(findProject(text, directory), 'project'),
}

/** Converts a cell to the form that the API takes. An empty cell stays empty. */
export function convertCell(
  { type }: ImportField,
  cell: string,
  context: ConvertContext,
): Converted {
  const text = cell.trim()
  if (text === '') return valid('')
  if (typeof type === 'object') return validOr(wordOf(type.words, text), 'word')
  return byType[type](text, context)
}

function findPerson(text: string, { people }: Directory): readonly string[] {
  return people.get(text) ?? people.get(emailKey(text)) ?? people.get(foldName(text)) ?? []
}

const findProject = (text: string, { projects }: Directory): readonly string[] =>
  projects.get(text) ?? projects.get(fold(text)) ?? []

function onlyOne([value, ...others]: readonly string[], fault: 'person' | 'project'): Converted {
  if (value === undefined) return wrong(fault)
  return others.length > 0 ? wrong(`${fault}-twice`) : valid(value)
}

/** A whole number from 1. Spreadsheets can write 4 as 4,0. */
function wholeOf(text: string, max: number): string | null {
  const [, digits] = /^(\d{1,2})(?:[.,]0+)?$/.exec(text) ?? []
  const number = Number(digits)
  return number >= 1 && number <= max ? String(number) : null
}

/** A value of the API, by itself or by the word that the console shows for it. */
function wordOf(words: LabelSet, text: string): string | null {
  const folded = fold(text)
  const values = choices(words).map(({ value }) => value)
  return (
    values.find((value) => fold(value) === folded || fold(label(words, value)) === folded) ?? null
  )
}

/** What the console offers for a cell of the field. */
export function offeredFor(
  { type }: ImportField,
  { directory }: ConvertContext,
): readonly string[] {
  if (type === 'person') return directory.peopleOffered
  if (type === 'project') return directory.projectsOffered
  return typeof type === 'object' ? choices(type.words).map(({ label: word }) => word) : []
}
