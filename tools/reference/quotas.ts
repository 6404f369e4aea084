import { quotas } from '@muster/contract'

import { code, page, table } from './markdown.ts'

/** 100000 is `100 000`. */
const grouped = (number: number) => String(number).replaceAll(/(?<=\d)(?=(?:\d{3})+$)/g, ' ')

export const quotasPage = () =>
  page(
    '# Quotas',
    'A quota limits what a workspace can hold. A write over a quota gets 403 `quota_exceeded`.\n' +
      '`/v1/whoami` returns the quotas and the usage of the workspace.',
    table(
      ['quota', 'value', 'counts'],
      Object.entries(quotas).map(([name, { max, description }]) => [
        code(name),
        grouped(max),
        description,
      ]),
    ),
  )
