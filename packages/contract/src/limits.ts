import { type Quota, quotas } from './registry.ts'

// The cast holds because the keys are those of `quotas`.
const quotaMaxima = Object.fromEntries(
  Object.entries(quotas).map(([name, { max }]) => [name, max]),
) as Record<Quota, number>

/**
 * Every limit of the API, published in the OpenAPI document and by `/v1/whoami`. Writes enforce
 * quotas, so that a complete list never has to be truncated or refused.
 */
export const limits = {
  page: { default: 100, max: 1000 },
  quota: quotaMaxima,
  bodyBytesMax: 64 * 1024,
  batchBytesMax: 4 * 1024 * 1024,
  /** The body of a request that lists ids: large enough for 1000 entries with two ids each. */
  idListBytesMax: 1024 * 1024,
  /** The most rows that one operation accepts or changes. */
  itemsMax: 1000,
  /** The projects that the rows of one batch change. */
  projectsMax: 50,
  /** The entries of `/v1/changes`, and the days between its points. */
  changesMax: 5000,
  changesDays: 400,
  urlBytesMax: 8 * 1024,
  headerBytesMax: 16 * 1024,
  jsonDepthMax: 32,
  errorsMax: 50,
  cursorLengthMax: 512,
  /** The length of a position in a log that programs follow. */
  positionLengthMax: 256,
  /** How long a request may wait for the next change. */
  waitSecondsMax: 50,
  /** Requests of one key that follow changes, waiting or as a stream, for each process. */
  followersPerKey: 20,
  /** Those of all keys of a workspace, for each process. */
  followersPerWorkspace: 200,
  idempotencyKeyLengthMax: 255,
  idempotencyKeptHours: 24,
  completeStreamsPerKey: 4,
  /** Other slugs that a workspace may ask for in a minute, for each process. */
  slugsPerMinute: 10,
  /** Tests of the identity provider that run at once in a workspace, for each process. */
  signInTestsPerWorkspace: 2,
  /** Requests of one key in flight with a body above `bodyBytesMax`, such as large batches. */
  largeBodiesPerKey: 4,
  /**
   * Requests of one key, requests of all keys of a workspace, and failed authentications: of one
   * credential, and of different credentials from one IP address. Settings can change these;
   * `/v1/whoami` returns the limits in force.
   */
  perMinute: { key: 6000, workspace: 30_000, failures: 60 },
  /**
   * Requests from one IP address for each allowed failure, so that one setting changes them
   * together: 240 requests to sign in and 600 reads of the sign-in page a minute. A sign-in takes
   * two requests, so 500 people behind one address can sign in within 5 minutes.
   */
  perFailure: { signIn: 4, signInPage: 10 },
  totalCountMax: 10_000,
  filterValuesMax: 50,
  /** The most user ids in one `user_id` filter. */
  idsMax: 200,
  /** A trend: its points, and the points of all its projects together. */
  trendPointsMax: 800,
  trendValuesMax: 400_000,
  /** The most planned departures of a workspace. */
  departuresMax: 1000,
  /** People whom one batch offboards because they have no row. */
  missingMax: 100,
  /** The most leads of one group. */
  leadsMax: 100,
  keyDays: { default: 90, max: 366 },
  /** For how long the old key stays valid after a rotation. */
  overlapSeconds: { default: 3600, max: 604_800 },
  /** The most networks in `allowed_cidrs`. */
  cidrsMax: 50,
  /** The most projects that a key can be bound to. */
  keyProjectsMax: 50,
  /** The longest life of a console session. */
  sessionDays: 7,
  /** For how long a console session may be unused. The longest is that of its life. */
  sessionIdleHours: { default: 72, max: 168 },
  sessionsPerKeyMax: 100,
  /** The most sessions, passkeys and live personal keys of a person, each counted alone. */
  sessionsPerPersonMax: 100,
  passkeysMax: 20,
  personalKeysMax: 20,
  /** The most entries of `PUT /v1/access`. */
  accessEntriesMax: 200,
  /** How long a one-time link is valid. */
  linkMinutes: { sign_in: 15, invitation: 72 * 60 },
  /** How long a session counts as recently authenticated. */
  recentMinutes: 10,
  /**
   * Refusals in the audit log of a workspace: those of genuine credentials, and as many others. The
   * oldest are deleted.
   */
  auditFailuresMax: 10_000,
  /**
   * Kinds of refusals of a workspace in a minute that have an entry each: those of genuine
   * credentials, and as many others.
   */
  refusalKindsMax: 20,
  /** How long an entry of the audit log is kept. */
  auditDays: 400,
} as const

/** Rate limits per minute. */
export type Rates = Readonly<Record<keyof typeof limits.perMinute, number>>
