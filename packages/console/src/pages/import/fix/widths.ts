import type { ImportField } from '#pages/import/columns/field.ts'

const long = new Set(['title', 'name', 'description'])
const ids = new Set(['external_id', 'ref', 'code', 'id'])
const longPixels = 180
const idPixels = 96
const otherPixels = 132

const byType: Readonly<Record<string, number>> = {
  rating: 84,
  score: 84,
  day: 108,
  moment: 108,
  project: 112,
  person: 152,
  email: 200,
}

const isLong = (field: ImportField) => long.has(field.name)

function pixelsOf(field: ImportField): number {
  if (isLong(field)) return longPixels
  if (ids.has(field.name)) return idPixels
  return (typeof field.type === 'string' ? byType[field.type] : undefined) ?? otherPixels
}

/** The columns of the grid by what their cells are. The long texts share what is left. */
export function gridStyle(fields: readonly ImportField[], lastLine: number) {
  const linePixels = lastLine < 1000 ? 48 : 68
  const tracks = fields.map((field) =>
    isLong(field) ? `minmax(${longPixels}px, 1fr)` : `${pixelsOf(field)}px`,
  )
  const least = fields.reduce((sum, field) => sum + pixelsOf(field), linePixels)
  return { '--columns': `${linePixels}px ${tracks.join(' ')}`, '--least': `${least}px` }
}
