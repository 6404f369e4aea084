import type { Risk } from '@muster/contract'

import type { NewRisk } from '#domain/risks'

import { bridgeRisks } from './risks-bridge.ts'
import { damRisks } from './risks-dam.ts'
import { systemsRisks } from './risks-systems.ts'
import { worksRisks } from './risks-works.ts'

/** On the one scale of all projects. */
export type StoryRating = 1 | 2 | 3 | 4 | 5

/** A risk of a project of the story, live unless it says how it was closed. */
export interface StoryRisk {
  /** The code of a project. */
  readonly project: string
  readonly title: string
  readonly description?: string
  readonly category: Risk['category']
  readonly status?: NonNullable<NewRisk['status']>
  readonly response: Risk['response']
  readonly likelihood: StoryRating
  readonly impact: StoryRating
  /** Likelihood and impact before anything was done, at or above what they are now. */
  readonly inherent?: readonly [StoryRating, StoryRating]
  /** At or below what it is now. */
  readonly target?: {
    readonly likelihood: StoryRating
    readonly impact: StoryRating
    readonly due_on: string
  }
  /** The key of a person. */
  readonly owner?: string
  readonly review_on?: string
  readonly tags?: readonly string[]
  readonly close?: {
    readonly reason: NonNullable<Risk['close_reason']>
    readonly note: string
  }
}

/**
 * The register of Northwater. Live risks stand on every cell of the matrix. A reference counts
 * within its project in this order, so a risk that is put in between renumbers those after it.
 */
export const risks: readonly StoryRisk[] = [
  ...damRisks,
  ...bridgeRisks,
  ...worksRisks,
  ...systemsRisks,
]
