import { requestTimeouts } from '#http/edge/admission'
import type { Timeouts } from '#service'
import { databaseTimeouts } from '#storage/connection/timeouts'

import { longTimeouts } from './long-timeouts.ts'

/**
 * Loaded before `main.ts`, by `--import`: sets the time limits to TEST_TIMEOUTS, or to the long
 * ones. The service has no setting for them.
 */
const given = process.env['TEST_TIMEOUTS']
const timeouts: Partial<Timeouts> = given ? JSON.parse(given) : longTimeouts
Object.assign(databaseTimeouts, timeouts)
Object.assign(requestTimeouts, timeouts)
