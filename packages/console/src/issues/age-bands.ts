import type { TextKey } from '#text/index.ts'

/** A stretch of whole months (UTC): from a day on, and before another; null where it is open. */
export interface Band {
  readonly text: TextKey
  readonly from: string | null
  readonly before: string | null
}

/** How long ago issues were opened, the newest first. Every month is in one of them. */
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

/** A month is written as `2026-11`. */
export function isInBand(month: string, { from, before }: Band): boolean {
  const day = `${month}-01`
  return (from === null || day >= from) && (before === null || day < before)
}
