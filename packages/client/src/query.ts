/** Joins several values of one parameter with commas. */
export function queryString(query: Readonly<Record<string, unknown>>): string {
  const defined = Object.entries(query).filter(([, value]) => value !== undefined)
  if (defined.length === 0) return ''
  const pairs = defined.map(([name, value]): [string, string] => [name, String(value)])
  return `?${new URLSearchParams(pairs).toString()}`
}
