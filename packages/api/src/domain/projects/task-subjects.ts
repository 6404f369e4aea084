/** The risk that a task treats, or the issue that it helps to solve. */

import { type PreparedRows, prepareRows, rowError } from '#domain/engine/batch'
import { Failure, invalid } from '#domain/engine/failure'
import { type Holder, selectItemsBy } from '#storage/nouns/external-ids'
import type { StoredTask } from '#storage/nouns/tasks'
import type { Read } from '#storage/statements/access'
import type { OpenedProject } from '#storage/statements/view'

const nouns = ['risk', 'issue'] as const

/** What a row of a batch or a task says about both. */
type Subjects = { readonly project_id?: string } & Partial<
  Record<`${(typeof nouns)[number]}_${'id' | 'ref'}`, string | null>
>

type Items = ReadonlyMap<string, Holder>

/** The risks and issues that tasks or rows name, by id and by reference. */
export class TaskSubjects {
  readonly #items: Readonly<Record<(typeof nouns)[number], Items>>

  private constructor(risk: Items, issue: Items) {
    this.#items = { risk, issue }
  }

  static async find(
    read: Read,
    projects: readonly OpenedProject[],
    rows: readonly Subjects[],
  ): Promise<TaskSubjects> {
    const scope = read.view.scope(projects.map(({ id }) => id))
    const find = async (noun: 'risk' | 'issue') => {
      const table = `${noun}s` as const
      const ids = rows.flatMap((row) => row[`${noun}_id`] ?? [])
      const refs = rows.flatMap((row) => row[`${noun}_ref`] ?? [])
      const byId = await selectItemsBy(read, { table, column: 'id', scope, values: ids })
      const byRef = await selectItemsBy(read, { table, column: 'ref', scope, values: refs })
      const ofRefs = [...byRef.values()].map((item) => [item.id, item] as const)
      return new Map([...byId, ...byRef, ...ofRefs])
    }
    return new TaskSubjects(await find('risk'), await find('issue'))
  }

  /** The rows with ids alone. `storedIn` finds the task of a row. */
  resolve<R extends Subjects & { readonly id?: string }>(
    batch: PreparedRows<R>,
    storedIn: (row: R) => StoredTask | undefined,
  ): PreparedRows<R> {
    return prepareRows(batch, (row) => {
      const { risk_ref: _, issue_ref: __, ...rest } = row
      const stored = storedIn(row)
      const risk = this.#idOf('risk', row, stored)
      const issue = this.#idOf('issue', row, stored)
      // The cast holds because only the references are left out.
      return {
        ...rest,
        ...(risk !== undefined && { risk_id: risk }),
        ...(issue !== undefined && { issue_id: issue }),
      } as R
    })
  }

  /** A reference wins over the stored id. Null alone removes it; beside an id it says nothing. */
  #idOf(noun: 'risk' | 'issue', row: Subjects, stored: StoredTask | undefined) {
    const { [`${noun}_id` as const]: id, [`${noun}_ref` as const]: ref } = row
    if (ref === undefined || ref === null) return id === undefined ? ref : id
    const found = this.#items[noun].get(ref)
    if (found === undefined || found.projectId !== (stored ?? row).project_id) {
      const detail = `must be the reference of ${noun === 'risk' ? 'a risk' : 'an issue'} of the project`
      throw rowError(`/${noun}_ref`, 'unknown_reference', detail)
    }
    if (id && id !== found.id && id !== stored?.[`${noun}_id`]) {
      const detail = `must name the same record as ${noun}_id, or be empty`
      throw rowError(`/${noun}_ref`, 'conflicting_fields', detail)
    }
    return found.id
  }

  /** A task has at most one of them, which must be in its project. */
  refuseInvalid(task: StoredTask): void {
    if (task.risk_id !== null && task.issue_id !== null) {
      const detail = 'cannot be set together with risk_id'
      throw invalid({ pointer: '/issue_id', code: 'contradiction', detail })
    }
    for (const noun of nouns) {
      const id = task[`${noun}_id`]
      if (id === null || this.#items[noun].get(id)?.projectId === task.project_id) continue
      const detail = `There is no ${noun} ${id} in this project.`
      throw new Failure('unknown_reference', detail, { pointer: `/${noun}_id` })
    }
  }
}
