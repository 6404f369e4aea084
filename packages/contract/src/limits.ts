/**
 * Every bound of the API in one place, published in the OpenAPI document and by `/v1/whoami`. A
 * quota bounds a collection when it is written to, so that no read ever has to truncate or refuse.
 */
export const limits = {
  page: { default: 100, max: 1000 },
  quota: {
    people: 100_000,
    groups: 10_000,
    projects: 20_000,
    live_risks: 100_000,
    open_issues: 200_000,
    open_tasks: 200_000,
    keys: 500,
  },
  bodyBytesMax: 64 * 1024,
  batchBytesMax: 4 * 1024 * 1024,
  /** How many rows one operation takes or changes at once. */
  itemsMax: 1000,
  urlBytesMax: 8 * 1024,
  headerBytesMax: 16 * 1024,
  jsonDepthMax: 32,
  errorsMax: 50,
  cursorLengthMax: 512,
  idempotencyKeyLengthMax: 255,
  idempotencyKeptHours: 24,
  completeStreamsPerKey: 4,
  totalCountMax: 10_000,
  filterValuesMax: 50,
  keyDays: { default: 90, max: 366 },
} as const

/** What a workspace may hold of each countable thing. */
export type Quota = keyof typeof limits.quota
