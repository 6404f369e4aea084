/** The lists of risks and issues that exist for every point in time. */

import { isLive, isOpen, type Issue, operations, pastFiltersOf, type Risk } from '@muster/contract'

import { rankOfClosedIssue, rankOfClosedRisk, rankOfIssue, rankOfRisk } from '#domain/rules/ranks'

import type { PastList } from './past-items.ts'
import { presentRiskAt } from './risk-levels.ts'

export const pastRegister: PastList<'risk', Risk> = {
  noun: 'risk',
  only: 'live',
  isListed: isLive,
  present: presentRiskAt,
  rankOf: rankOfRisk,
  valueOf: ({ score }) => score,
  filters: pastFiltersOf(operations.risks.list.query.properties),
}

export const pastClosedRisks: PastList<'risk', Risk> = {
  noun: 'risk',
  only: 'closed',
  isListed: (status) => !isLive(status),
  present: presentRiskAt,
  rankOf: rankOfClosedRisk,
  valueOf: ({ score }) => score,
  isDescending: true,
  filters: pastFiltersOf(operations.risks.list_closed.query.properties),
}

export const pastOpenIssues: PastList<'issue', Issue> = {
  noun: 'issue',
  only: 'live',
  isListed: isOpen,
  present: (issue) => issue,
  rankOf: rankOfIssue,
  valueOf: ({ severity }) => severity,
  filters: pastFiltersOf(operations.issues.list.query.properties),
}

export const pastClosedIssues: PastList<'issue', Issue> = {
  noun: 'issue',
  only: 'closed',
  isListed: (status) => !isOpen(status),
  present: (issue) => issue,
  rankOf: rankOfClosedIssue,
  valueOf: ({ severity }) => severity,
  isDescending: true,
  filters: pastFiltersOf(operations.issues.list_closed.query.properties),
}
