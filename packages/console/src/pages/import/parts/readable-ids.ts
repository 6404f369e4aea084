import { usePersonNames } from '#kit/references/people.tsx'

const userId = /\busr_[0-9a-z]{26}\b/g

/** Replaces the ids of people by their names, as far as the user may see them. */
export function useReadableIds(texts: readonly string[]): (text: string) => string {
  const names = usePersonNames(texts.flatMap((text) => text.match(userId) ?? []))
  return (text) => text.replaceAll(userId, (id) => names.get(id) ?? id)
}

/** An error as a sentence. An id stays as it is: a capital would make another one of it. */
export const sentence = (detail: string) => {
  const start = /^[a-z]{3}_/.test(detail) ? detail.charAt(0) : detail.charAt(0).toUpperCase()
  return `${start}${detail.slice(1).replace(/\.$/, '')}.`
}
