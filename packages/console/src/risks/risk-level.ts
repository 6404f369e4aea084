import type { Level, Scale } from '@muster/contract'

/** The level of a score; low until the scale is loaded. */
export const levelOf = (scale: Scale | undefined, score: number): Level =>
  scale?.levels.find(({ score_max }) => score <= score_max)?.level ?? 'low'

/** On the register: neither closed nor occurred. */
export const isLive = ({ status }: { readonly status: string }) =>
  status !== 'closed' && status !== 'occurred'
