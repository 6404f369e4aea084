/** Migration checksums: the migrations of a release, each with the SHA-256 of its text. */

import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'

/** The folder with the migrations of this release. */
export const ours = new URL('../../../migrations/', import.meta.url)

/** A migration, and the SHA-256 of its text. */
export interface MigrationFile {
  /** The file name without `.sql`. */
  readonly name: string
  readonly text: string
  readonly checksum: string
}

/** The migrations in a folder, by default those of this release, in order. */
export async function readMigrations(folder: URL = ours): Promise<MigrationFile[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).toSorted()
  return Promise.all(files.map((file) => readMigration(file, folder)))
}

/** A checkout can have other line ends, which are no change. */
async function readMigration(file: string, folder: URL): Promise<MigrationFile> {
  const text = (await readFile(new URL(file, folder), 'utf8')).replaceAll('\r\n', '\n')
  const checksum = createHash('sha256').update(text).digest('hex')
  return { name: file.replace('.sql', ''), text, checksum }
}

/** `migrate` creates this table before it applies migrations: each stores its checksum in it. */
export const checksumsTable = `
create table if not exists migration_checksums (
  name text primary key,
  checksum text not null check (checksum ~ '^[0-9a-f]{64}$')
);
grant select on migration_checksums to muster_app;
`
