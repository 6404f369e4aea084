import { type Compilable, type CompiledQuery, type Kysely, type RawBuilder, sql } from 'kysely'

import type { DB } from '#storage/schema/tables'

import type { Read } from './access.ts'

/** Stands for a value in a compiled statement. */
class Placeholder {
  readonly key: string

  constructor(key: string) {
    this.key = key
  }
}

/** The values of a statement as expressions, which become parameters. */
export type Given<V> = { readonly [K in keyof V]-?: RawBuilder<V[K]> }

/** A statement whose text is compiled once. Executing it only binds values. */
export interface Template<V, R> {
  compile(read: Pick<Read, 'db'>, values: V): CompiledQuery<R>
  execute(read: Pick<Read, 'db'>, values: V): Promise<R[]>
}

/**
 * `build` is called once for each query builder: a plugin of its own changes the text. The text
 * must not depend on the values.
 */
export function template<V extends object, R = unknown>(
  build: (given: Given<V>, db: Kysely<DB>) => Pick<Compilable<R>, 'compile'> | RawBuilder<R>,
): Template<V, R> {
  const compiled = new WeakMap<object, CompiledQuery<R>>()
  const textFor = (db: Kysely<DB>) => {
    const { adapter } = db.getExecutor()
    const known = compiled.get(adapter)
    if (known) return known
    // The cast holds because every property is a placeholder.
    const given = new Proxy({}, { get: (_, key) => placeholder(String(key)) }) as Given<V>
    const built = build(given, db).compile(db)
    compiled.set(adapter, built)
    return built
  }
  const compile = ({ db }: Pick<Read, 'db'>, values: V) => {
    const query = textFor(db)
    const valueOf = (parameter: unknown) =>
      // The cast holds because the keys of the placeholders are those of the values.
      parameter instanceof Placeholder ? values[parameter.key as keyof V] : parameter
    return { ...query, parameters: query.parameters.map(valueOf) }
  }
  return {
    compile,
    async execute(read, values) {
      return (await read.db.executeQuery<R>(compile(read, values))).rows
    },
  }
}

const placeholder = (key: string) => sql.val(new Placeholder(key))
