import type { NewRisk, Risk } from '@muster/contract'

import { bridgeRisks } from './risks-bridge.ts'
import { damRisks } from './risks-dam.ts'
import { systemsRisks } from './risks-systems.ts'
import { worksRisks } from './risks-works.ts'

/** On the one scale of all projects. */
export type StoryRating = 1 | 2 | 3 | 4 | 5

/** A risk of the story as it was entered, and how it was closed if it was closed at once. */
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
  /** Single words: a list of tags is written with blanks between them. */
  readonly tags?: readonly string[]
  readonly metadata?: Readonly<Record<string, string>>
  readonly close?: {
    readonly reason: NonNullable<Risk['close_reason']>
    readonly note: string
  }
}

/**
 * The register of Northwater. A reference counts within its project in this order, so a risk that
 * is put in between renumbers those after it. When all turns have been told, live risks stand on
 * every cell of the matrix.
 */
export const risks: readonly StoryRisk[] = [
  ...damRisks,
  ...bridgeRisks,
  ...worksRisks,
  ...systemsRisks,
]
