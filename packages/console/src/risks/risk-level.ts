import type { Level, Scale } from '@muster/contract'

/** The level of a score; the lowest while the scale is not known yet. */
export const levelOf = (scale: Scale | undefined, score: number): Level =>
  scale?.levels.find(({ score_max }) => score <= score_max)?.level ?? 'low'

/** On the register: neither closed nor come true. */
export const isLive = ({ status }: { readonly status: string }) =>
  status !== 'closed' && status !== 'occurred'
