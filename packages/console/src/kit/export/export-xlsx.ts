import { sendToRoute } from '#data/browser-routes.ts'

import { columnTypes, type Document } from './column-types.ts'
import { type Export, writeXlsx } from './xlsx.ts'

interface ListExport extends Omit<Export, 'types'> {
  /** The path of the list in the API. */
  readonly path: string
}

/** Writes a list as XLSX, with the types of the columns from the OpenAPI document. */
export async function exportXlsx({ path, ...rest }: ListExport): Promise<Blob> {
  // The service derives the document from the same contract as the list.
  const document = (await sendToRoute('/openapi.json')) as Document
  return writeXlsx({ ...rest, types: columnTypes(document, path) })
}
