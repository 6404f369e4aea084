/** What the console reads of a file. A longer file is split by its owner. */
export const bounds = {
  fileMiB: 50,
  /** The size of a workbook after decompression, which can be a thousand times that of the file. */
  inflatedMiB: 128,
  rows: 10_000,
  columns: 200,
  /** Lines of a CSV file: cells can contain line breaks, but not without end. */
  lines: 500_000,
  /** The time of the worker. */
  seconds: 20,
} as const

export const bytesOfMiB = (mebibytes: number) => mebibytes * 1024 * 1024
