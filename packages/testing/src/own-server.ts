interface Started extends AsyncDisposable {
  readonly url: string
  readonly pid: number
}

interface Place {
  readonly folder: string
  readonly port: number
  /** Additional settings, as `name=value`. */
  readonly settings?: readonly string[]
}

// Imported by URL: `tools` is another TypeScript project, which references this one.
const { href } = new URL('../../../tools/postgres.ts', import.meta.url)

/** Starts the bundled PostgreSQL with this data folder. */
export const { startOwn } = (await import(href)) as {
  startOwn: (place: Place) => Promise<Started>
}
