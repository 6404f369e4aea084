/** The state of a page is its address: plain names and values, as in the API's own queries. */
export type Search = Readonly<Record<string, string>>

export const parseSearch = (text: string): Search => Object.fromEntries(new URLSearchParams(text))

export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const said = Object.entries(search).filter(([, value]) => value !== undefined && value !== '')
  if (said.length === 0) return ''
  const query = new URLSearchParams(said.map(([name, value]) => [name, String(value)]))
  // A comma between values is read by people too.
  return `?${query.toString().replaceAll('%2C', ',')}`
}
