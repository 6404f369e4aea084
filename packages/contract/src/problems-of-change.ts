import type { Problem } from './problem.ts'

/** A request that is understood, and cannot be done to what is there. */
export const problemsOfChange = {
  quota_exceeded: {
    status: 403,
    title: 'The workspace is full.',
    happened: 'The workspace already holds as many of these as its quota allows.',
    fix: 'Remove what is no longer needed, or ask whoever runs this service to raise the quota.',
  },
  email_taken: {
    status: 409,
    title: 'Another person on the roster has this email.',
    happened: 'Emails are unique among those who have not departed; letter case does not matter.',
    fix: 'Look at the person in `conflicting_id`: it may be the same person.',
  },
  external_id_taken: {
    status: 409,
    title: 'Another person on the roster has this external id.',
    happened: 'External ids are unique among those who have not departed.',
    fix: 'Look at the person in `conflicting_id`: it may be the same person.',
  },
  name_taken: {
    status: 409,
    title: 'Another active group has this name.',
    happened: 'Names of active groups are unique; letter case does not matter.',
    fix: 'Choose another name, or use the group in `conflicting_id`.',
  },
  manager_cycle: {
    status: 409,
    title: 'The person would report to themselves.',
    happened: 'The manager at `pointer` reports to this person, directly or through others.',
    fix: 'Choose another manager, or first change to whom that manager reports.',
  },
  has_open_assignments: {
    status: 409,
    title: 'The person still holds projects, risks, issues or tasks.',
    happened: 'The departure was asked to fail if anything is still in the hands of the person.',
    fix:
      'Hand it over first: `POST /v1/personnel/{user_id}/reassign`. Or send `if_assigned: keep`: ' +
      'it then stays with them until someone does.',
  },
  person_erased: {
    status: 409,
    title: 'What was known of this person has been erased.',
    happened: 'Nothing is stored any more of a person who was erased, and nothing can be.',
    fix: 'If the same person comes again, add them as a new one.',
  },
  group_archived: {
    status: 409,
    title: 'The group is archived.',
    happened: 'An archived group is not changed, and nobody joins or leaves it.',
    fix: 'Restore the group first: `POST /v1/groups/{group_id}/restore`.',
  },
  project_code_taken: {
    status: 409,
    title: 'Another project has this code.',
    happened: 'A project code is unique for ever, since the references of its risks begin with it.',
    fix: 'Choose another code, or use the project in `conflicting_id`.',
  },
  invalid_transition: {
    status: 409,
    title: 'That cannot happen to it in its present status.',
    happened: 'The status it has, `from`, does not lead to the one that was asked for, `to`.',
    fix: 'Do one of the things in `allowed` first, or look at it again: someone may have changed it.',
  },
  project_archived: {
    status: 409,
    title: 'The project is archived.',
    happened: 'Nothing can be added to an archived project or changed in it.',
    fix: 'Restore the project first: `POST /v1/projects/{project_id}/restore`.',
  },
  project_has_live_items: {
    status: 409,
    title: 'The project has live risks, open issues or open tasks.',
    happened: 'An archived project holds nothing that still needs someone.',
    fix: 'Send `if_live_items`: `close`, or `transfer` with `to_project_id`.',
  },
  too_many_items: {
    status: 409,
    title: 'That would touch too many items at once.',
    happened: 'One request changes at most 1000 items, so that others need not wait for it.',
    fix: 'Do it in parts, until fewer are left.',
  },
  idempotency_in_progress: {
    status: 409,
    title: 'The same request is still running.',
    happened: 'A request with this Idempotency-Key has begun and has not ended yet.',
    fix: 'Repeat the request with the same Idempotency-Key after the time in Retry-After.',
    retryAfter: 1,
  },
  secret_not_replayable: {
    status: 409,
    title: 'The key was made, and its secret is not told again.',
    happened:
      'A request with this Idempotency-Key has made the key in `conflicting_id`. Its secret was in ' +
      'that answer alone: it is not kept.',
    fix: 'If that answer was lost, rotate or revoke the key in `conflicting_id`.',
  },
  version_mismatch: {
    status: 412,
    title: 'It has changed since you read it.',
    happened: 'If-Match, or `version` in the body, names another version than the present one.',
    fix: 'Read it again, and repeat your change on what it is now.',
  },
  weak_etag: {
    status: 412,
    title: 'A weak ETag cannot guard a change.',
    happened:
      'If-Match holds a weak ETag, `W/…`. A proxy that compresses answers makes strong ETags weak.',
    fix: 'Send the `version` of the resource instead: `If-Match: "4711"`.',
  },
  validation_failed: {
    status: 422,
    title: 'The body breaks the rules of this operation.',
    happened:
      'The body is JSON, but one or more of its members are missing, unknown or not allowed.',
    fix: 'Correct each place in `errors`: `pointer` says where, `detail` says what is expected.',
  },
  unknown_reference: {
    status: 422,
    title: 'The body refers to something that does not exist.',
    happened: 'An id in the body names nothing in this workspace.',
    fix: 'Correct the id at `pointer`.',
  },
  read_only_field: {
    status: 422,
    title: 'A field that cannot be changed in this way was given another value.',
    happened: 'The field at `pointer` is set by the service, or by another operation.',
    fix: 'Leave the field out, or send it as it was read. The detail names the operation, if any.',
  },
  not_assignable: {
    status: 422,
    title: 'This person cannot be given new work.',
    happened: 'Only people whose status is active can be given something to own or to do.',
    fix: 'Choose someone whose `assignable` is true.',
  },
  not_on_roster: {
    status: 422,
    title: 'This person has left.',
    happened: 'Only people on the roster, active or suspended, can join a group or be a manager.',
    fix: 'Choose someone who has not departed, or bring the person back: `POST …/rejoin`.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'This Idempotency-Key was used for another body.',
    happened: 'A request with this Idempotency-Key has succeeded before, with a different body.',
    fix: 'Use a new Idempotency-Key for a new request, and the same one only to repeat a request.',
  },
} as const satisfies Record<string, Problem>
