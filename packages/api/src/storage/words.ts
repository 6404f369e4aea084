/** What stands between words: of ASCII all that is neither letter nor digit, and nothing else. */
const separators = /[ -/:-@[-`{-~]+/g

const [shortest, longest] = [2, 10]

/** The words of a folded text with a blank between them: `mara.lind@` and `mara lind` are one. */
const spaced = (text: string) => text.replaceAll(separators, ' ').trim()

/**
 * Every end of a folded text that begins with a letter, cut to a bounded length. What a text
 * contains, one of its ends begins with.
 */
export function endingsIn(text: string): string[] {
  const letters = Array.from(spaced(text))
  const endings = letters.flatMap((letter, start) =>
    letter === ' '
      ? []
      : [
          letters
            .slice(start, start + longest)
            .join('')
            .trimEnd(),
        ],
  )
  return [...new Set(endings)].filter((ending) => Array.from(ending).length >= shortest)
}

const triedMax = 3

/** What to look for among the ends of texts, to find those that contain this one. */
export function beginningsIn(text: string): string[] {
  const words = spaced(text).split(' ')
  return words
    .map((_, index) =>
      Array.from(words.slice(index).join(' ')).slice(0, longest).join('').trimEnd(),
    )
    .filter((beginning) => Array.from(beginning).length >= shortest)
    .slice(0, triedMax)
}
