/**
 * Suggests a project code from its name: the initials, or the first letters of a single word. Empty
 * if the name has no usable letter.
 */
export function suggestCode(name: string): string {
  const words = name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toUpperCase()
    .split(/[^A-Z0-9]+/)
    .filter((word) => word !== '')
  const first = words.findIndex((word) => /^[A-Z]/.test(word))
  const [firstWord = '', ...others] = first === -1 ? [] : words.slice(first)
  if (others.length === 0) return firstWord.length < 2 ? '' : firstWord.slice(0, 4)
  return [firstWord, ...others]
    .map((word) => (/^\d/.test(word) ? word : word.charAt(0)))
    .join('')
    .slice(0, 10)
}
