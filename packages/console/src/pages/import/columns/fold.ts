/** A text without case, accents and punctuation: `Nächste  Prüfung:` is `nachste prufung`. */
export const fold = (text: string) =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll(/[^\p{L}\p{N}@]+/gu, ' ')
    .trim()

/** The words of a name in any order: `Lindt, Mara` is `Mara Lindt`. */
export const foldName = (name: string) => fold(name).split(' ').toSorted().join(' ')
