/** A base that no request has: only a path resolves to it. */
const base = 'https://path.invalid'

const lengthMax = 1000

/**
 * Where a browser goes after a sign-in: a path of this site, or `/` for anything else. Prevents an
 * open redirect. Browsers read a backslash as a slash and ignore control characters.
 */
export function returnPath(text: string | null): string {
  if (text === null || text.length > lengthMax || !/^\/(?![/\\])/.test(text)) return '/'
  if (/[\p{Cc}\\]/u.test(text)) return '/'
  const url = URL.parse(text, base)
  if (url === null || url.origin !== base) return '/'
  const path = `${url.pathname}${url.search}${url.hash}`
  return path.startsWith('//') ? '/' : path
}
