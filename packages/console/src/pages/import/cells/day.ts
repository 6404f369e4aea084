import type { DayOrder } from '#pages/import/columns/field.ts'

const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/
const local = /^(\d{1,2})([-/.])\s?(\d{1,2})\2\s?(\d{4}|\d{2})$/
const named = /^(\d{1,2})\.? ([a-z]{3,9})\.?,? (\d{4})$/i
const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** The day as 2027-02-28; null if the text is none. Only 2/3/2027 needs the order. */
export function dayOf(text: string, order: DayOrder): string | null {
  const [, isoYear, isoMonth, isoDay] = iso.exec(text) ?? []
  if (isoYear) return dayFrom(isoYear, isoMonth, isoDay)
  const [, first, separator, second, year] = local.exec(text) ?? []
  if (first) {
    // Countries that put the month first do not use full stops.
    const isDayFirst = separator === '.' || order === 'day-first'
    return isDayFirst ? dayFrom(year, second, first) : dayFrom(year, first, second)
  }
  const [, namedDay, name = '', namedYear] = named.exec(text) ?? []
  const month = months.indexOf(name.slice(0, 3).toLowerCase()) + 1
  return month > 0 ? dayFrom(namedYear, String(month), namedDay) : null
}

/** A day, or a time as the API takes it. */
export const momentOf = (text: string, order: DayOrder) =>
  instant.test(text) && !Number.isNaN(Date.parse(text)) ? text : dayOf(text, order)

function dayFrom(year = '', month = '', day = ''): string | null {
  const fullYear = year.length === 2 ? `${Number(year) < 70 ? '20' : '19'}${year}` : year
  const text = `${fullYear}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const date = new Date(`${text}T00:00:00Z`)
  // The 31st of a short month would become the first of the next one.
  const isDay = !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === text
  return isDay ? text : null
}

/** How many dates of a column need the order, and how many fit each one. */
interface DayCounts {
  readonly ambiguous: number
  readonly dayFirst: number
  readonly monthFirst: number
}

function countDays(texts: readonly string[]): DayCounts {
  let [ambiguous, dayFirst, monthFirst] = [0, 0, 0]
  for (const text of texts) {
    const [, , separator] = local.exec(text) ?? []
    if (separator === undefined || separator === '.') continue
    const [day, month] = [dayOf(text, 'day-first'), dayOf(text, 'month-first')]
    if (day !== null && month !== null && day !== month) ambiguous += 1
    else if (day !== null && month === null) dayFirst += 1
    else if (month !== null && day === null) monthFirst += 1
  }
  return { ambiguous, dayFirst, monthFirst }
}

/** The order of the dates of a column; null if only the user knows. */
export function detectOrder(texts: readonly string[]): DayOrder | null {
  const { ambiguous, dayFirst, monthFirst } = countDays(texts)
  if (dayFirst !== monthFirst) return dayFirst > monthFirst ? 'day-first' : 'month-first'
  return ambiguous + dayFirst > 0 ? null : 'day-first'
}
