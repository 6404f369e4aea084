import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'

import { issueStatuses, personStatuses, projectStatuses, riskStatuses } from '@muster/contract'

import { exportWorkspace } from '#domain/workspace/export'
import type { ExportedState } from '#storage/nouns/export'
import type { Client, Json } from '#test/support/client'
import type { newWorkspace } from '#test/support/workspace'

export type Home = Awaited<ReturnType<typeof newWorkspace>>

interface State extends ExportedState {
  readonly data: Json
}

/** Every state of the export, by the id of its item. */
export async function exportedStates({ admin }: Home): Promise<Map<string, State[]>> {
  const states: State[] = []
  await exportWorkspace(admin, async (part, items) => {
    // The cast holds because this part has states.
    if (part === 'history') states.push(...(items as State[]))
  })
  return Map.groupBy(states, ({ id }) => id)
}

/** The lists of every item with a history, and the path of the histories; groups show none. */
const listsOf = (at: string): [list: string, path: string | null][] => [
  [`/v1/personnel?status=${personStatuses.join()}`, '/v1/personnel'],
  ['/v1/groups?status=active,archived', null],
  [`/v1/projects?status=${projectStatuses.join()}`, '/v1/projects'],
  [`${at}/risks?status=${riskStatuses.join()}`, `${at}/risks`],
  [`${at}/issues?status=${issueStatuses.join()}`, `${at}/issues`],
]

/** A plain list of whole states for each item. */
export class Model {
  readonly states = new Map<string, Json[]>()
  readonly paths = new Map<string, string>()
  readonly client: Client
  /** The path of the project. */
  readonly at: string

  constructor(client: Client, at: string) {
    this.client = client
    this.at = at
  }

  /** Reads every item, and adds the state of those with a new version. */
  async observe(): Promise<void> {
    for (const [list, path] of listsOf(this.at)) {
      const { status, body, text } = await this.client.get(list)
      assert.equal(status, 200, text)
      for (const item of body.data) {
        const states = this.states.get(item.id) ?? []
        if (states.at(-1)?.version === item.version) continue
        if (item.erased_at) this.#erase(states)
        this.states.set(item.id, [...states, item])
        if (path !== null) this.paths.set(item.id, `${path}/${item.id}/history`)
      }
    }
  }

  /** Replaces personal data in every earlier state. */
  #erase(states: Json[]): void {
    const names = `email phone title department external_id manager_user_id time_zone
      status_reason`.split(/\s+/)
    const empty = Object.fromEntries(names.map((name) => [name, null]))
    for (const state of states) {
      Object.assign(state, { ...empty, name: 'Erased person', metadata: {} })
    }
  }
}

const omitted = new Set(['id', 'user_id', 'version', 'created_at', 'updated_at'])
const isEmptyValue = (value: unknown) => ['null', '[]', '{}'].includes(JSON.stringify(value))

/** The changes from one whole state to the next; for the first one, what is not empty. */
function changesOf(before: Json, after: Json) {
  return Object.keys(after)
    .filter((field) => !omitted.has(field))
    .map((field) => ({ field, from: before?.[field] ?? null, to: after[field] }))
    .filter(({ from, to }) =>
      before === undefined ? !isEmptyValue(to) : !isDeepStrictEqual(from, to),
    )
}

const withoutVersion = (state: Json): Json => ({ ...state, version: null })
const byField = (changes: Json[]) =>
  changes.toSorted((a, b) => String(a.field).localeCompare(String(b.field)))

export async function assertMatches(home: Home, model: Model): Promise<void> {
  const exported = await exportedStates(home)
  assert.deepEqual(new Set(exported.keys()), new Set(model.states.keys()))
  for (const [id, expected] of model.states) {
    const states = exported.get(id) ?? []
    const numbers = expected.map(({ version }) => version)
    assert.deepEqual(
      states.map(({ from_seq, to_seq }) => [from_seq, to_seq]),
      numbers.map((number, n) => [number, numbers[n + 1] ?? null]),
    )
    // Responses also have derived fields, which a state has not.
    const fields = Object.keys(states[0]?.data)
    const known = expected.map((state) =>
      Object.fromEntries(Object.entries(state).filter(([name]) => fields.includes(name))),
    )
    assert.deepEqual(
      states.map(({ data }) => withoutVersion(data)),
      known.map(withoutVersion),
    )
    await assertHistory(model, id, known)
  }
}

/** The API lists the difference of successive states. */
async function assertHistory({ client, paths }: Model, id: string, expected: Json[]) {
  const path = paths.get(id)
  if (path === undefined) return
  const { body } = await client.get(path)
  assert.deepEqual(
    body.data.map(({ seq, changes }: Json) => [seq, byField(changes)]),
    expected.map((state, n) => [state.version, byField(changesOf(expected[n - 1], state))]),
  )
}
