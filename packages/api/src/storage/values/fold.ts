/** Text for search and sorting: without letter case and accents. */
export function fold(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
}

/** The most characters of a text in a sort key. */
export const sortLengthMax = 64

/** Bounded, so that cursors stay short. The id makes the order unique. */
export function sortName(name: string): string {
  return Array.from(fold(name).trim()).slice(0, sortLengthMax).join('')
}
