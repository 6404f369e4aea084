/**
 * A code that the name of a project suggests: its initials, or the beginning of its only word.
 * Empty when it has no letter that a code can have.
 */
export function codeFor(name: string): string {
  const words = name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toUpperCase()
    .split(/[^A-Z0-9]+/)
    .filter((word) => word !== '')
  const first = words.findIndex((word) => /^[A-Z]/.test(word))
  const [own = '', ...others] = first === -1 ? [] : words.slice(first)
  if (others.length === 0) return own.length < 2 ? '' : own.slice(0, 4)
  return [own, ...others]
    .map((word) => (/^\d/.test(word) ? word : word.charAt(0)))
    .join('')
    .slice(0, 10)
}
