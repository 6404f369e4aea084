import type { Level, Risk, Scale } from '@muster/contract'

/** The level of a score; low until the scale is loaded. */
export const levelOf = (scale: Scale | undefined, score: number): Level =>
  scale?.levels.find(({ score_max }) => score <= score_max)?.level ?? 'low'

/** On the register: neither closed nor occurred. */
export const isLive = ({ status }: { readonly status: string }) =>
  status !== 'closed' && status !== 'occurred'

/** Someone has accepted the risk, and the acceptance has not expired. */
export const isAccepted = ({ response, acceptance, flags }: Risk) =>
  response === 'accept' && acceptance !== null && !flags.includes('acceptance_expired')
