import { type Connection, Query } from 'pg'
import utils from 'pg/lib/utils.js'

/** A row whose values are as PostgreSQL writes them. */
export type TextRow = readonly (string | null)[]

interface Prepared {
  readonly name: string
  readonly text: string
  readonly values: readonly unknown[]
}

/** What the driver knows of the statements of a connection. */
interface KnownStatements {
  readonly parsedStatements: Record<string, string>
  readonly submittedNamedStatements: Record<string, string>
}

/**
 * Prepared statements with one Sync after the last: PostgreSQL executes them in one transaction,
 * without BEGIN and COMMIT, and all responses arrive together. The driver is not asked to describe
 * the rows, so every value is a text.
 */
export class StatementGroup extends Query {
  readonly #statements: readonly Prepared[]
  readonly #parsing: Prepared[] = []
  readonly #results: TextRow[][]
  #position = 0
  /** Set by the driver. */
  declare callback: (error: unknown, results?: readonly TextRow[][]) => void

  constructor(statements: readonly Prepared[]) {
    super({ text: '' })
    this.#statements = statements
    this.#results = statements.map(() => [])
    this.submit = (connection) => this.#send(connection as Connection & KnownStatements)
  }

  handleDataRow({ fields }: { readonly fields: TextRow }): void {
    this.#results[this.#position]?.push(fields)
  }

  handleCommandComplete(): void {
    this.#position += 1
  }

  handleReadyForQuery(connection: KnownStatements): void {
    for (const { name, text } of this.#forget(connection)) connection.parsedStatements[name] = text
    this.callback(null, this.#results)
  }

  handleError(error: unknown, connection: KnownStatements): void {
    this.#forget(connection)
    this.callback(error)
  }

  #send(connection: Connection & KnownStatements): void {
    for (const statement of this.#statements) {
      const { name, values } = statement
      if (!isKnown(connection, name)) this.#parse(connection, statement)
      connection.bind({ statement: name, values: values.map(utils.prepareValue) }, true)
      connection.execute(null, true)
    }
    connection.sync()
  }

  #parse(connection: Connection & KnownStatements, statement: Prepared): void {
    const { name, text } = statement
    connection.parse({ name, text, types: [] }, true)
    connection.submittedNamedStatements[name] = text
    this.#parsing.push(statement)
  }

  #forget({ submittedNamedStatements }: KnownStatements): Prepared[] {
    const parsed = this.#parsing.splice(0)
    for (const { name } of parsed) delete submittedNamedStatements[name]
    return parsed
  }
}

const isKnown = (
  { parsedStatements, submittedNamedStatements }: KnownStatements,
  name: string,
): boolean => name in parsedStatements || name in submittedNamedStatements
