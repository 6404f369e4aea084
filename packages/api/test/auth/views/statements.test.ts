import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

import { isGranted } from '@muster/contract'

import { createFixtureFor, newExampleFor } from '#test/support/fixture'
import { keyOperations } from '#test/support/operations'
import { sentDuring, statementText } from '#test/support/statements'
import { newWorkspace, startHost } from '#test/support/workspace'

import { bindKey, everyBoundScope } from './bound-keys.ts'

const host = await startHost()
const home = await newWorkspace(host)
const manager = await home.manager()

const data =
  /\b(?:from|join) "?(?:projects|risks|issues|tasks|acceptances|history|summary_counts|\w+_index_rows)\b/

/** A condition on the project of the rows, or on the projects themselves. */
const conditions = [
  /"?project_id"? = (?:any\()?\$/,
  /"?project_id"? = scope\.id/,
  /"item"\."project_id" = "index_range"\."key\d"/,
  /array_position\(\$\d+::uuid\[\], "item"\."project_id"\)/,
  /from "?projects"? (?:as item )?where .*"id" = (?:any\(|\$|"index_range")/,
  /from unnest\(\$\d::uuid\[\]\) as scope \(id\)/,
]

/** Reads of project data without such a condition, and why they disclose nothing. */
const reasons: Readonly<Record<string, RegExp>> = {
  'the names of all projects are kept in memory, and an item shows that of its own project':
    /^select "id", "code", "name" from "projects" where "workspace_id" = \$1 and "id" > \$2/,
  'a project is dropped outside the view, but that its code is taken':
    /^select "id", "code" from "projects" where .* and code = any\(\$2::text\[\]\);$/,
  'the item of a history was found in its project before': / from history as state /,
  'a reassignment drops the rows outside the view after it has locked them':
    /"id" = any\(\$2::uuid\[\]\) and "(?:owner|assignee)_user_id" = \$3 and .* for no key update/,
  'the changes of all projects are counted, and the figures of those of the view are returned':
    /^with page as materialized \( select seq, type, subject_id from events |due_on as due from tasks /,
  'the issue of an occurred risk is dropped if it is outside the view':
    /^select "id", "ref", .* from "issues" where "workspace_id" = \$1 and "id" = \$2;$/,
}

const isRead = (text: string) => /^\s*(?:select|with)\b/.test(text) && !/\binsert into\b/.test(text)

const isBound = (text: string) => conditions.some((condition) => condition.test(text))
const reasonFor = (text: string) =>
  Object.keys(reasons).find((reason) => reasons[reason]?.test(text))

test('every statement that a bound key causes reads its projects alone', async () => {
  const used = new Set<string>()
  let bound = 0
  for (const { name, operation } of keyOperations()) {
    if (!isGranted(everyBoundScope, operation.scope)) continue
    const fixture = await createFixtureFor(manager, operation)
    const { client } = await bindKey(manager, [fixture.ids['project_id'] ?? ''])
    const body = newExampleFor(operation, fixture)
    const send = async () => {
      for (let times = 0; times < 3; times++) {
        await client.send(operation.method, fixture.fill(operation.path), { body })
        if (operation.method === 'GET') {
          await client.get(`${fixture.fill(operation.path)}?limit=${times + 1}`)
          await client.get(fixture.fill(operation.path), { accept: 'text/csv' })
        }
      }
    }
    for (const text of (await sentDuring(send)).map(statementText)) {
      if (!isRead(text) || !data.test(text)) continue
      if (isBound(text)) {
        bound += 1
        continue
      }
      const reason = reasonFor(text)
      assert.ok(reason, `${name}: ${text}`)
      used.add(reason)
    }
  }
  assert.ok(bound > 100, `${bound} statements`)
  assert.deepEqual([...used].toSorted(), Object.keys(reasons).toSorted(), 'no reason is needless')
})

test('queries.sql has reads without a view for callers who see all projects', () => {
  const golden = readFileSync(new URL('../../../queries.sql', import.meta.url), 'utf8')
  const reads = golden.split('\n').filter((line) => isRead(line) && data.test(line))
  assert.ok(reads.some(isBound) && !reads.every(isBound))
})
