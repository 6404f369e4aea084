import { bridgeRisks } from './risks-bridge.ts'
import { damRisks } from './risks-dam.ts'
import { systemsRisks } from './risks-systems.ts'
import { worksRisks } from './risks-works.ts'
import type { StoryRisk } from './types.ts'

/** The risks of Northwater. After all `riskEvents`, every cell of the matrix has a live risk. */
export const risks: readonly StoryRisk[] = [
  ...damRisks,
  ...bridgeRisks,
  ...worksRisks,
  ...systemsRisks,
]
