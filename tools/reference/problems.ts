import { STATUS_CODES } from 'node:http'

import { problems } from '@muster/contract'

import { code, page, table } from './markdown.ts'

const byStatus = Object.entries(problems).toSorted(([, a], [, b]) => a.status - b.status)
const statuses = [...new Set(byStatus.map(([, { status }]) => status))]

const sectionOf = (status: number) => [
  `## ${status} ${STATUS_CODES[status]}`,
  ...byStatus
    .filter(([, problem]) => problem.status === status)
    .flatMap(([name, { title, happened, fix }]) => [
      `### ${name}`,
      `**${title}** ${happened}`,
      `What to do: ${fix}`,
      `Page of a service: ${code(`/problems/${name}`)}`,
    ]),
]

export const problemsPage = () =>
  page(
    '# Problems',
    'Every error is a problem (RFC 9457) with the media type `application/problem+json`. Its `code` is\n' +
      'in this list and never changes. Its `type` is the path of a page of the service that explains it.\n' +
      '`detail` describes the request at hand, and `request_id` identifies it in the log.',
    table(
      ['status', 'code', 'meaning'],
      byStatus.map(([name, { status, title }]) => [
        String(status),
        `[${code(name)}](#${name})`,
        title,
      ]),
    ),
    ...statuses.flatMap(sectionOf),
  )
