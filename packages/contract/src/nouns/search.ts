import { Type, type Static } from 'typebox'

import { withExample } from '#contract/examples'
import {
  booleanField,
  id,
  idOfAny,
  integer,
  list,
  nullable,
  openEnum,
  rating,
  singleLine,
} from '#contract/field-schemas'
import { enumFilter } from '#contract/list-operation'
import { operation } from '#contract/operation'
import { levels } from '#contract/scale'

export const searchedNouns = ['person', 'group', 'project', 'risk', 'issue', 'task'] as const
export type SearchedNoun = (typeof searchedNouns)[number]

/** Where the words were found. */
const searchMatches = ['ref', 'title', 'text'] as const

/** The most results of one search. */
const resultsMax = 50

export const SearchResult = withExample(
  Type.Object(
    {
      noun: openEnum(searchedNouns, { description: 'What was found.', example: 'risk' }),
      id: idOfAny(['usr', 'grp', 'prj', 'rsk', 'iss', 'tsk'], 'The id of what was found.'),
      ref: nullable(
        singleLine(24, {
          description: 'The reference; of a project its code. People and groups have none.',
          example: 'DAM-R12',
        }),
      ),
      title: singleLine(200, {
        description: 'The title or the name.',
        example: 'Uplift under the stilling basin',
      }),
      project_id: nullable(id('prj', 'The project of a risk, an issue or a task.')),
      project_code: nullable(
        singleLine(10, { description: 'The code of that project.', example: 'DAM' }),
      ),
      status: singleLine(20, { description: 'The status.', example: 'treating' }),
      is_live: booleanField({
        description:
          'Whether it is current: a live risk, an open issue or task, a project or group that is ' +
          'not archived, a person on the roster.',
        example: true,
      }),
      score: nullable(integer(1, 25, { description: 'The score of a risk.', example: 12 })),
      level: nullable(
        openEnum(levels, { description: 'The level of the score.', example: 'high' }),
      ),
      severity: nullable(rating({ description: 'The severity of an issue.', example: 4 })),
      matched: openEnum(searchMatches, {
        description:
          'Where the words were found: the whole reference or code, the reference, title, name or ' +
          'email, or also in tags or the description.',
        example: 'title',
      }),
    },
    { title: 'SearchResult', description: 'Something that a search found.' },
  ),
  { severity: null },
)
export type SearchResult = Static<typeof SearchResult>

export const search = {
  find: operation({
    summary: 'Search over everything.',
    description:
      'Finds people, groups, projects, risks, issues and tasks, live and closed, by words of the ' +
      'reference, the title or name, the email, the tags and the description. A word can be the ' +
      'beginning of one. Letter case and accents do not matter. A whole reference or code comes ' +
      'first, then titles, then the rest; of these first what is live, then the newest. Returns ' +
      'what your scopes and projects allow: people and groups need `personnel.read`, the others ' +
      '`projects.read`.',
    method: 'GET',
    path: '/v1/search',
    scope: 'any_principal',
    query: Type.Object(
      {
        q: Type.Optional(
          singleLine(200, {
            description: 'The words, all of which must be found. Without them, nothing is found.',
            example: 'uplift',
          }),
        ),
        noun: Type.Optional(enumFilter(searchedNouns, 'Only these nouns. Default: all.', 'risk')),
        limit: Type.Optional(
          integer(1, resultsMax, { description: 'The most results. Default: 20.', example: 20 }),
        ),
      },
      { additionalProperties: false },
    ),
    status: 200,
    response: Type.Object(
      {
        data: list(SearchResult, resultsMax, 'What was found, the best first.'),
        is_complete: booleanField({
          description: 'Whether this is all. If not, use more words or a higher `limit`.',
          example: true,
        }),
      },
      { title: 'SearchResults', description: 'The results of a search.' },
    ),
    cache: 'none',
    problems: [],
  }),
}
