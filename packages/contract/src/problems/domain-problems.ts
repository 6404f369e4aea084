import type { ProblemDefinition } from './problem.ts'

/** Problems of valid requests: quotas, conflicts, preconditions and validation. */
export const domainProblems = {
  unknown_point: {
    status: 400,
    title: 'The point in time is not known.',
    happened:
      'The number, time or date is after the last change, or no such day exists. A point must be ' +
      'past.',
    fix: 'Use an earlier one. `as_of` of a list or `through` of the events is the last number.',
  },
  quota_exceeded: {
    status: 403,
    title: 'The quota of the workspace is exceeded.',
    happened: 'The workspace has reached its quota for this type of resource.',
    fix: 'Close or archive what you no longer need, or ask an administrator for a higher quota.',
  },
  email_taken: {
    status: 409,
    title: 'Another person on the roster has this email.',
    happened: 'Emails are unique among people who have not departed. Letter case does not matter.',
    fix: 'Check the person in `conflicting_id`: it may be the same person.',
  },
  external_id_taken: {
    status: 409,
    title: 'Another record has this external id.',
    happened:
      'External ids are unique: those of people among those who have not departed, and those of ' +
      'projects, risks, issues and tasks in the workspace.',
    fix:
      'Check the record in `conflicting_id`: it may be the same one. Without `conflicting_id`, it ' +
      'is in a project that your key may not see.',
  },
  name_taken: {
    status: 409,
    title: 'Another active group has this name.',
    happened: 'Names of active groups are unique. Letter case does not matter.',
    fix: 'Choose another name, or use the group in `conflicting_id`.',
  },
  slug_taken: {
    status: 409,
    title: 'Another workspace has this slug.',
    happened: 'The slugs of all workspaces of the service are different.',
    fix: 'Choose another slug.',
  },
  manager_cycle: {
    status: 409,
    title: 'The person would report to themselves.',
    happened: 'The manager at `pointer` reports to this person, directly or through others.',
    fix: 'Choose another manager, or first change the manager of that person.',
  },
  has_open_assignments: {
    status: 409,
    title: 'The person still has assigned work.',
    happened: 'With `if_assigned: fail`, a person with assigned work cannot depart.',
    fix:
      'Reassign the work first: `POST /v1/personnel/{user_id}/reassign`. Or send ' +
      '`if_assigned: keep` to leave the work assigned to the person.',
  },
  person_erased: {
    status: 409,
    title: 'The data of this person has been erased.',
    happened: 'The service stores no personal data of an erased person and accepts none.',
    fix: 'If the person returns, add them as a new person.',
  },
  group_archived: {
    status: 409,
    title: 'The group is archived.',
    happened: 'An archived group and its members cannot be changed.',
    fix: 'Restore the group first: `POST /v1/groups/{group_id}/restore`.',
  },
  project_code_taken: {
    status: 409,
    title: 'Another project has this code.',
    happened: 'A project code is permanently unique: references such as DAM-R12 start with it.',
    fix: 'Choose another code, or use the project in `conflicting_id`.',
  },
  invalid_transition: {
    status: 409,
    title: 'The current status does not allow this operation.',
    happened: 'The resource cannot change from status `from` to status `to`.',
    fix: 'Use an operation in `allowed` first. Or read the resource again: it may have changed.',
  },
  project_archived: {
    status: 409,
    title: 'The project is archived.',
    happened: 'Items of an archived project cannot be added or changed.',
    fix: 'Restore the project first: `POST /v1/projects/{project_id}/restore`.',
  },
  project_has_live_items: {
    status: 409,
    title: 'The project has live risks, open issues or open tasks.',
    happened: 'A project with live risks, open issues or open tasks cannot be archived.',
    fix: 'Send `if_live_items`: `close`, or `transfer` with `to_project_id`.',
  },
  identity_unconfirmed: {
    status: 409,
    title: 'The identity of a person is not confirmed.',
    happened:
      'The email or external id of the people in `user_ids` was changed by someone who lacks ' +
      '`missing_rights`, which the request would give. An account of someone else could sign in ' +
      'with these rights.',
    fix:
      'Compare the email and the external id with the person, and correct them. Then confirm ' +
      'them with `POST /v1/personnel/{user_id}/confirm-identity`, and repeat the request. At most ' +
      '50 user ids are listed.',
  },
  last_admin: {
    status: 409,
    title: 'The workspace would have no administrator.',
    happened:
      'After this change, no active person would have the role `admin`, and no live key has ' +
      '`workspace.manage`.',
    fix: 'Give the role `admin` to another person first: `PUT /v1/access`.',
  },
  no_administrator_sign_in: {
    status: 409,
    title: 'No administrator could sign in.',
    happened:
      'After this change, no active person with the role `admin` would have a way to sign in that ' +
      'the workspace allows. A key counts if it does not expire within 24 hours.',
    fix:
      'Let an administrator create a passkey, set the identity provider, or allow another way: ' +
      '`sign_in_methods` of `PATCH /v1/workspace`.',
  },
  secrets_not_configured: {
    status: 409,
    title: 'The service cannot store secrets.',
    happened: 'The service has no key to encrypt the client secret with.',
    fix: 'Ask the operator of this service to set `SECRETS_KEY`.',
  },
  too_many_items: {
    status: 409,
    title: 'The request would change too many items.',
    happened:
      'One request changes at most 1000 items, in at most 50 projects, so that it does not delay others.',
    fix: 'Split the change into several requests.',
  },
  too_many_missing: {
    status: 422,
    title: 'Too many people have no row.',
    happened: 'More people than `missing_max` are on the roster and not in the batch.',
    fix: 'See who is missing with `missing=report`. Complete the batch, or raise `missing_max`.',
  },
  idempotency_in_progress: {
    status: 409,
    title: 'A request with this Idempotency-Key is in progress.',
    happened: 'An earlier request with this Idempotency-Key has not finished.',
    fix: 'Repeat the request with the same Idempotency-Key after the seconds in Retry-After.',
    retryAfter: 1,
  },
  secret_not_replayable: {
    status: 409,
    title: 'The key or link exists, and its secret cannot be shown again.',
    happened:
      'An earlier request with this Idempotency-Key created the key in `conflicting_id`, or the ' +
      'link. Only the first response contains the secret, because the service stores only its hash.',
    fix:
      'If you lost that response, rotate or revoke the key in `conflicting_id`, or create another ' +
      'link with a new Idempotency-Key.',
  },
  version_mismatch: {
    status: 412,
    title: 'The resource has changed since you read it.',
    happened: 'If-Match, or `version` in the body, does not match the current version.',
    fix: 'Read the resource again, and apply your change to the current version.',
  },
  weak_etag: {
    status: 412,
    title: 'If-Match does not accept a weak ETag.',
    happened:
      'If-Match contains a weak ETag, `W/…`. Proxies that compress responses make ETags weak.',
    fix: 'Send the `version` of the resource instead: `If-Match: "4711"`.',
  },
  validation_failed: {
    status: 422,
    title: 'The body is invalid.',
    happened: 'One or more members of the body are missing, unknown or not allowed.',
    fix: 'Correct each entry of `errors`: `pointer` is its place, `detail` the expected value.',
  },
  unknown_reference: {
    status: 422,
    title: 'The body refers to a resource that does not exist.',
    happened: 'An id in the body does not exist in this workspace.',
    fix: 'Correct the id at `pointer`.',
  },
  read_only_field: {
    status: 422,
    title: 'A read-only field has a different value.',
    happened: 'Only the service or another operation sets the field at `pointer`.',
    fix: 'Omit the field or send its current value. If an operation sets it, `detail` names it.',
  },
  not_assignable: {
    status: 422,
    title: 'This person cannot be assigned new work.',
    happened: 'Only people with the status active can own or be assigned work.',
    fix: 'Choose a person whose `assignable` is true.',
  },
  not_on_roster: {
    status: 422,
    title: 'This person is not on the roster.',
    happened: 'Only active or suspended people can join a group or be a manager.',
    fix: 'Choose a person who has not departed, or reinstate the person: `POST …/rejoin`.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'This Idempotency-Key was used with another body.',
    happened: 'An earlier request with this Idempotency-Key succeeded with a different body.',
    fix: 'Use a new Idempotency-Key for each new request. Reuse it only to repeat that request.',
  },
} as const satisfies Record<string, ProblemDefinition>
