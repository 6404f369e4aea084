import { offeredFor } from '#pages/import/cells/convert.ts'
import { convertAt, fieldAt, type Place, type Plan } from '#pages/import/cells/plan.ts'

/** The values that the console offers for a cell. */
export function offeredAt(plan: Plan, { at }: Place): readonly string[] {
  const field = fieldAt(plan, at)
  const context = { directory: plan.directory, order: plan.orders[at] ?? 'day-first' } as const
  return field === null ? [] : [...new Set(offeredFor(field, context))]
}

/** Whether the cell can have the text. Every row has the value that finds its record. */
export function isValid(plan: Plan, place: Place, text: string): boolean {
  const isKey = fieldAt(plan, place.at)?.name === plan.identity
  return !(isKey && text.trim() === '') && convertAt(plan, place, text)?.fault === null
}

/** What was written, or the only offered value that has it within; null if it is wrong. */
export function valueOf(plan: Plan, place: Place, written: string): string | null {
  if (isValid(plan, place, written)) return written
  const part = written.trim().toLowerCase()
  if (part === '') return null
  const [only, ...more] = offeredAt(plan, place).filter((each) => each.toLowerCase().includes(part))
  return only === undefined || more.length > 0 ? null : only
}
