import { selectJobQueues, selectWorkerAge } from '#storage/inspect/job-queues'
import { selectServerTime } from '#storage/inspect/server'
import { jobsVersion, selectJobsVersion } from '#storage/migration/jobs-schema'
import { selectDueSweeps } from '#storage/nouns/sweeps'

import { type Check, count, failure, formatDuration, ok, warning } from './finding.ts'

const workerSecondsMax = 3600
const waitSecondsMax = 900
const service = 'Start the service with WORKERS=on. If it runs, search its log for'
const waits = `${service} "background jobs wait".`

/** The tables of pg-boss fit this release, and workers work on the jobs. */
export const jobs: Check = {
  name: 'jobs',
  as: 'owner',
  needs: 'muster_owner',
  run: async (db) => {
    const version = await selectJobsVersion(db)
    if (version === null || version < jobsVersion) {
      const found = version === null ? 'are missing' : `have version ${version}, not ${jobsVersion}`
      return [failure(`The tables of background jobs ${found}.`, 'Run: npm run migrate')]
    }
    const seconds = await selectWorkerAge(db)
    if (seconds === null) return [warning('No worker has ever run.', waits)]
    const found = `A worker last ran ${formatDuration(seconds)} ago.`
    if (seconds > workerSecondsMax) return [failure(found, waits)]
    const slow = (await selectJobQueues(db)).filter(({ oldest }) => oldest > waitSecondsMax)
    const warnings = slow.map(({ queue, oldest }) =>
      warning(`A job of the queue ${queue} has waited ${formatDuration(oldest)}.`, waits),
    )
    return [ok(found), ...warnings]
  },
}

const dueMax = 1000

/** Workspaces whose day began more than an hour ago are swept. */
export const sweptWorkspaces: Check = {
  name: 'swept-workspaces',
  as: 'service',
  needs: 'muster_app',
  run: async (db) => {
    const hourAgo = new Date((await selectServerTime(db)) - workerSecondsMax * 1000)
    const due = await selectDueSweeps(db, { after: null, limit: dueMax, time: hourAgo })
    if (due.length === 0) return [ok('Every workspace is swept for its current day.')]
    const atLeast = due.length === dueMax ? 'at least ' : ''
    const number = `${atLeast}${count(due.length, 'workspace')}`
    const found = `Not swept for the current day: ${number}, the first is ${due[0]?.id}.`
    return [warning(found, `${service} "a job failed".`)]
  },
}
