import { requestTimeouts } from '#http/edge/admission'
import type { Timeouts } from '#service'
import { databaseTimeouts } from '#storage/engine/timeouts'

import { patient } from './patient.ts'

/**
 * Loaded before `main.ts`, by `--import`: sets the time limits to TEST_TIMEOUTS, or to the patient
 * ones. The service has no setting for them.
 */
const given = process.env['TEST_TIMEOUTS']
const timeouts: Partial<Timeouts> = given ? JSON.parse(given) : patient
Object.assign(databaseTimeouts, timeouts)
Object.assign(requestTimeouts, timeouts)
