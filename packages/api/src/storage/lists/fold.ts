/** Text as search and sorting see it: without letter case, and without accents. */
export function fold(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
}

const sortLengthMax = 64

/** Bounded, so that a cursor that carries it stays short. The id breaks the ties this makes. */
export function sortName(name: string): string {
  return Array.from(fold(name).trim()).slice(0, sortLengthMax).join('')
}
