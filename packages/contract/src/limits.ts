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
  /** A thousand user ids and more. */
  membersBytesMax: 1024 * 1024,
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
  /**
   * Requests of one key, those of all keys of a workspace together, and failed authentications: of
   * one credential, and of different ones from one address. The service's settings can change them;
   * `/v1/whoami` returns those in force.
   */
  perMinute: { key: 6000, workspace: 30_000, failures: 60 },
  totalCountMax: 10_000,
  filterValuesMax: 50,
  /** How many ids of people can be resolved in one call. */
  idsMax: 200,
  /** How many people can lead one group. */
  leadsMax: 100,
  keyDays: { default: 90, max: 366 },
  /** For how long a key works on that was rotated. */
  overlapSeconds: { default: 3600, max: 604_800 },
  /** How many networks a key can be bound to. */
  cidrsMax: 50,
  /** For how long whoever signs in to the console stays so. */
  sessionDays: 7,
  sessionsPerKeyMax: 100,
} as const

/** How often one may ask, and fail to be let in. */
export type Rates = Readonly<Record<keyof typeof limits.perMinute, number>>

/** What a workspace may hold of each countable thing. */
export type Quota = keyof typeof limits.quota
