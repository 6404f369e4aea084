import { Failure } from '#domain/engine/failure'
import { type ExternalIdTable, type Holder, selectHolders } from '#storage/nouns/external-ids'
import type { Write } from '#storage/statements/access'

interface Identified {
  readonly id: string
  readonly external_id: string | null
  readonly project_id?: string
}

/** The external ids of one noun that are taken, among those of a write. */
export class ExternalIds {
  readonly #write: Write
  readonly #holders: Map<string, Holder>

  private constructor(write: Write, holders: Map<string, Holder>) {
    this.#write = write
    this.#holders = holders
  }

  /** Finds who has the external ids of these records or rows. */
  static async find(
    write: Write,
    table: ExternalIdTable,
    given: readonly { readonly external_id?: string | null }[],
  ): Promise<ExternalIds> {
    const wanted = given.flatMap(({ external_id }) => external_id ?? [])
    return new ExternalIds(write, await selectHolders(write, table, wanted))
  }

  /**
   * Reserves the external id of a record, or fails. A caller who may not see the record that has
   * it learns only that there is one.
   */
  reserve({ id, external_id, project_id: projectId = id }: Identified): void {
    if (external_id === null) return
    const holder = this.#holders.get(external_id)
    if (holder === undefined) this.#holders.set(external_id, { id, projectId })
    if (holder === undefined || holder.id === id) return
    const pointer = '/external_id'
    if (!this.#write.view.shows(holder.projectId)) {
      throw new Failure('external_id_taken', 'A record that you may not see has it.', { pointer })
    }
    const detail = `This external id belongs to ${holder.id}.`
    throw new Failure('external_id_taken', detail, { conflicting_id: holder.id, pointer })
  }
}

interface IdentifiedChange {
  /** Null for a new record. */
  readonly before: Identified | null
  readonly after: Identified
}

/** Fails if the change gives a record an external id that another one has. */
export async function reserveExternalId(
  write: Write,
  table: ExternalIdTable,
  { before, after }: IdentifiedChange,
): Promise<void> {
  if (after.external_id === (before?.external_id ?? null)) return
  const externalIds = await ExternalIds.find(write, table, [after])
  externalIds.reserve(after)
}
