import { Type } from 'typebox'

import { closedEnum } from '#contract/field-schemas'
import { listOperation, nameFilters } from '#contract/list-operation'
import { operation } from '#contract/operation'
import { asOfList, compareList } from '#contract/points'
import { byPersonName, rollupIncludes } from '#contract/rollup'

import { ClosedRisk, closedRiskFilters } from './closed-risks.ts'
import { bases, RegisterEntry, registerFilters, registerSort, RiskSummary } from './register.ts'
import { scoresInclude, scoresPageMax } from './scores.ts'

/** The lists of the risks of all projects. */
export const riskLists = {
  list: listOperation({
    summary: 'List the risk register across all projects.',
    description:
      'Returns the live risks of every project, ranked by descending score, then descending ' +
      'impact, oldest first. `sort` changes the order, not the rank. Risks that are not live ' +
      `never appear. \`include=scores\` needs a \`limit\` of at most ${scoresPageMax}.`,
    path: '/v1/risks',
    scope: 'projects.read',
    collection: 'risks',
    item: RegisterEntry,
    title: 'Register',
    includes: { ...rollupIncludes, ...scoresInclude },
    sorts: { owner: byPersonName },
    filterNeeds: { owner_email: byPersonName },
    filters: {
      ...registerFilters,
      ...nameFilters('risks', 'owner'),
      ...registerSort,
      ...asOfList('The register', registerFilters),
      ...compareList(registerFilters),
    },
    problems: ['unknown_point'],
  }),

  summary: operation({
    summary: 'View the summary of the risk register.',
    description:
      'Returns counts by level, cell of the matrix, status, project, owner and flag, and the ' +
      'number of risks above the appetite without a valid acceptance. Accepts the filters of the ' +
      'register.',
    method: 'GET',
    path: '/v1/risks/summary',
    scope: 'projects.read',
    query: Type.Object(
      {
        basis: Type.Optional(
          closedEnum(bases, {
            description: 'The ratings to count. Default: `current`.',
            example: 'target',
          }),
        ),
        ...registerFilters,
        ...asOfList('The summary', registerFilters),
      },
      { additionalProperties: false },
    ),
    status: 200,
    response: RiskSummary,
    cache: 'collection',
    collection: 'risks',
    problems: ['unknown_point'],
  }),

  list_closed: listOperation({
    summary: 'List occurred and closed risks across all projects.',
    description:
      'Returns the risks of every project that are not live, the latest first unless `sort` is ' +
      'set: by `closed_at`, and by `occurred_at` for a risk that has occurred and is not closed.',
    path: '/v1/risks/closed',
    scope: 'projects.read',
    collection: 'risks',
    item: ClosedRisk,
    title: 'ClosedRiskList',
    includes: rollupIncludes,
    filterNeeds: { owner_email: byPersonName },
    filters: {
      ...closedRiskFilters,
      ...nameFilters('risks', 'owner', 'jose.nunez@northwater.example'),
      ...asOfList('The list', closedRiskFilters),
    },
    problems: ['unknown_point'],
  }),
}
