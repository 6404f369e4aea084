import { type Field, prefixOf } from '@muster/contract'
import type { Selectable } from 'kysely'

import type { Row, RowTable } from '#storage/schema/row-tables'
import type { DB } from '#storage/schema/tables'
import { encodeId, encodeOptional, uuidOf, uuidOfOptional } from '#storage/values/id'

/** How a field is stored: in its columns, of which `present` makes the value. */
export interface Form<T extends RowTable, Value> {
  readonly columns: readonly (keyof DB[T] & string)[]
  readonly present: (row: Selectable<DB[T]>) => Value
  /** The columns for a value. Absent if the database or another field has it. */
  readonly store?: (value: Value) => Partial<Row<T>>
}

type Forms<T extends RowTable, Item> = {
  readonly [K in keyof Item]?: Form<T, Item[K]>
} & {
  readonly [K in Exclude<keyof Item, keyof DB[T]>]: Form<T, Item[K]>
}

interface Options<T extends RowTable, Item> {
  /** Columns that are no fields, and that lists need. */
  readonly also?: readonly (keyof DB[T] & string)[]
  /** Fields that an update does not change. */
  readonly fixed: readonly (keyof Item)[]
  /** Fields whose column the database or the write computes. */
  readonly computed: readonly (keyof Item)[]
  /** The fields that are not stored in the column of their name. */
  readonly forms: Forms<T, Item>
}

/**
 * The fields of a noun in its table. A field is stored in the column of its name, an id as a UUID,
 * unless it is among `forms`. A field without a column and without a form does not compile.
 */
export function storedFields<T extends RowTable, Item extends object, Key extends keyof Row<T>>(
  fields: Readonly<Record<keyof Item, Field>>,
  { also = [], fixed, computed, forms }: Options<T, Item>,
) {
  // The casts hold because the fields and the forms have the names of the item.
  const names = Object.keys(fields) as (keyof Item & string)[]
  const all = names.map((name) => {
    const form = (forms[name] ?? plain<T>(name, fields[name])) as Form<T, unknown>
    return { name, ...form }
  })
  const inserted = all.filter(({ name }) => !computed.includes(name))
  const updated = inserted.filter(({ name }) => !fixed.includes(name))

  /** `keys` are columns that follow from the fields, such as the text that a search compares. */
  function rowOf(written: typeof all, item: Item, keys: Pick<Row<T>, Key>) {
    const row = { ...keys }
    for (const { name, store } of written) Object.assign(row, store?.(item[name]))
    return row
  }

  return {
    columns: [...new Set([...all.flatMap(({ columns }) => columns), ...also])],
    present: (row: Selectable<DB[T]>): Item => {
      const item: Partial<Record<keyof Item, unknown>> = {}
      for (const { name, present } of all) item[name] = present(row)
      // The cast holds because every field of the item has a form.
      return item as Item
    },
    // The casts hold because every field has a column or a form.
    newRow: (item: Item, keys: Pick<Row<T>, Key>) => rowOf(inserted, item, keys) as Row<T>,
    changedRow: (item: Item, keys: Pick<Row<T>, Key>) =>
      rowOf(updated, item, keys) as Partial<Row<T>>,
  }
}

/** A field in the column of its name. */
function plain<T extends RowTable>(name: string, { schema }: Field): Form<T, never> {
  const prefix = prefixOf(schema)
  // The casts hold because the table has a column for the field, of UUIDs if the field has ids.
  const columns = [name as keyof DB[T] & string]
  const valueIn = (row: object) => row[name as keyof object]
  const stored = (value: unknown) => ({ [name]: value }) as Partial<Row<T>>
  if (prefix === null) return { columns, present: valueIn, store: stored }
  if ('items' in schema) {
    return {
      columns,
      present: (row) => (valueIn(row) as string[]).map((uuid) => encodeId(prefix, uuid)) as never,
      store: (ids: string[]) => stored(ids.map(uuidOf)),
    }
  }
  return {
    columns,
    present: (row) => encodeOptional(prefix, valueIn(row)) as never,
    store: (id: string | null) => stored(uuidOfOptional(id)),
  }
}
