import { createHash } from 'node:crypto'

import type { Client } from 'pg'

/** The texts of every item by weight, and its document. */
const texts = `
  with item as (
    select workspace_id, id, 'person' as noun, null::uuid as project_id,
      status <> 'departed' as is_live, concat_ws(' ', name, email) as a, '' as b, '' as c
    from people
    union all select workspace_id, id, 'group', null, status = 'active', name, '', description
    from groups
    union all select workspace_id, id, 'project', id, status <> 'archived',
      concat_ws(' ', code, name), '', description from projects
    union all select workspace_id, id, 'risk', project_id,
      status in ('identified', 'treating', 'monitoring'), concat_ws(' ', ref, title),
      array_to_string(tags, ' '), description from risks
    union all select workspace_id, id, 'issue', project_id, status <> 'closed',
      concat_ws(' ', ref, title), array_to_string(tags, ' '), description from issues
    union all select workspace_id, id, 'task', project_id,
      status in ('todo', 'in_progress', 'blocked'), concat_ws(' ', ref, title), '', description
    from tasks
  )
  select item.*, kept.id is not null and kept.noun = item.noun
      and kept.project_id is not distinct from item.project_id
      and kept.is_live = item.is_live as is_equal,
    array(select lexeme || ' ' || weights[1] from unnest(kept.document)) as kept
  from (select * from item where $1::uuid is null or workspace_id = $1) as item
  left join search_documents as kept using (workspace_id, id)`

interface Item {
  readonly workspace_id: string
  readonly id: string
  readonly noun: string
  readonly a: string
  readonly b: string
  readonly c: string | null
  readonly is_equal: boolean
  readonly kept: readonly string[]
}

/** The letters and digits of a text without accents and case. */
const words = (text: string) =>
  Array.from(
    text
      .normalize('NFKD')
      .replaceAll(/\p{M}/gu, '')
      .toLowerCase()
      .matchAll(/[\p{L}\p{N}]+/gu),
    ([word]) => word.slice(0, 100),
  )

function documentOf({ workspace_id, a, b, c }: Item): string[] {
  const weights = new Map(
    [...words(c ?? '').map((word) => [word, 'C']), ...words(b).map((word) => [word, 'B'])].concat(
      words(a).map((word) => [word, 'A']),
    ) as [string, string][],
  )
  const hash = createHash('sha256').update(workspace_id).digest('hex').slice(0, 8)
  return [...weights].map(([word, weight]) => `${hash}${word} ${weight}`)
}

/** Items whose search document is missing, or is not what the item says. */
export async function findDocumentDrift(sql: Client, workspace: string | null): Promise<string[]> {
  const { rows } = await sql.query<Item>(texts, [workspace])
  return rows
    .filter((item) => {
      const kept = new Set(item.kept)
      const wanted = documentOf(item)
      return !item.is_equal || kept.size !== wanted.length || wanted.some((each) => !kept.has(each))
    })
    .map(({ noun, id }) => `The search document of the ${noun} ${id} is wrong.`)
}
