import type { TextKey } from '#text/index.ts'

/** A range of whole months (UTC): `from` is inclusive, `before` is exclusive, null is unbounded. */
export interface Band {
  readonly text: TextKey
  readonly from: string | null
  readonly before: string | null
}

/** Ranges by the month in which an issue was opened, newest first. They cover all months. */
export function ageBands(now = new Date()): readonly Band[] {
  const first = (monthsAgo: number) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - monthsAgo, 1))
      .toISOString()
      .slice(0, 10)
  return [
    { text: 'issues.age.this', from: first(0), before: null },
    { text: 'issues.age.last', from: first(1), before: first(0) },
    { text: 'issues.age.2-3', from: first(3), before: first(1) },
    { text: 'issues.age.4-6', from: first(6), before: first(3) },
    { text: 'issues.age.older', from: null, before: first(6) },
  ]
}

/** A month has the form `2026-11`. */
export function isInBand(month: string, { from, before }: Band): boolean {
  const day = `${month}-01`
  return (from === null || day >= from) && (before === null || day < before)
}
