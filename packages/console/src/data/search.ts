/** The state of a page as URL search parameters, with the names that the API uses. */
export type Search = Readonly<Record<string, string>>

export const parseSearch = (text: string): Search => Object.fromEntries(new URLSearchParams(text))

export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(search).filter(([, value]) => value !== undefined && value !== '')
  if (entries.length === 0) return ''
  const query = new URLSearchParams(entries.map(([name, value]) => [name, String(value)]))
  // Keep commas unescaped, so that people can read the URL.
  return `?${query.toString().replaceAll('%2C', ',')}`
}
