/** The rows of a workbook. A longer list is exported as CSV, or filtered. */
export const rowsMax = 100_000

/** The list has more than `rowsMax` rows. */
export class TooManyRowsError extends Error {
  override readonly name = 'TooManyRowsError'
}
