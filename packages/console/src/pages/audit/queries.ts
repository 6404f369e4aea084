import type { AuditEntry } from '@muster/contract'

import { client } from '#data/client.ts'
import { pagedQuery } from '#data/lists.ts'
import type { Search } from '#data/search.ts'

/** The API accepts several values of a filter, joined by commas. */
const toQuery = (filters: Search) =>
  Object.fromEntries(Object.entries(filters).map(([name, text]) => [name, text.split(',')]))

export const auditPages = (filters: Search) =>
  pagedQuery<AuditEntry>({
    noun: 'audit',
    key: ['list', filters],
    page: (paging, signal) =>
      client.audit.list({ query: { ...toQuery(filters), ...paging } }, { signal }),
  })
