import { Type, type Static } from 'typebox'

import { withExample } from '#contract/examples'
import {
  booleanField,
  id,
  idOfAny,
  integer,
  list,
  multiLine,
  nullable,
  openEnum,
  sequenceNumber,
  singleLine,
  timestamp,
} from '#contract/field-schemas'
import { Actor } from '#contract/history'
import { limits } from '#contract/limits'
import { enumFilter, valuesFilter } from '#contract/list-operation'
import { operation } from '#contract/operation'
import { type EventNoun, eventTypes, type Prefix, prefixes } from '#contract/registry'

/** The nouns whose states the log shows. */
export const stateNouns = ['person', 'group', 'project', 'risk', 'issue', 'task'] as const
export type StateNoun = (typeof stateNouns)[number]

// The cast holds because an event type starts with its noun.
const eventNouns = [
  ...new Set(eventTypes.map((type) => type.slice(0, type.indexOf('.')) as EventNoun)),
]

/** What has no events of its own. */
const others: ReadonlySet<Prefix> = new Set(['ses', 'psk', 'aud', 'evt', 'req'])

// The cast holds because the prefixes are the keys of this object.
const subjectPrefixes = (Object.keys(prefixes) as Prefix[]).filter((prefix) => !others.has(prefix))

export const positionExample = 'WyI1YzhlIiw0MTcsMCxbWyI3ZjJiZDAwM2IxMDkiLDQwMF1dLCJrM3EiXQ'

const position = (description: string) =>
  singleLine(limits.positionLengthMax, { description, example: positionExample })

const EventState = withExample(
  Type.Object(
    {
      type: openEnum(stateNouns, { description: 'What it is the state of.', example: 'risk' }),
      id: idOfAny(['usr', 'grp', 'prj', 'rsk', 'iss', 'tsk'], 'Its id.'),
      state: nullable(
        Type.Unsafe<Readonly<Record<string, unknown>>>({
          type: 'object',
          description:
            'The resource after the change, as its own GET returns it without `include`. Null for ' +
            'a task that an earlier release changed.',
          examples: [{ title: 'Uplift under the stilling basin', score: 16 }],
        }),
      ),
    },
    { title: 'EventState', description: 'The state of a resource after a change.' },
  ),
  {},
)

export const LoggedEvent = withExample(
  Type.Object(
    {
      id: id('evt', 'The id of the event.'),
      position: position('The position of the event. With `after`, the events after it follow.'),
      seq: sequenceNumber({ description: 'The sequence number of the change.', example: 417 }),
      is_last_of_write: booleanField({
        description: 'Whether it is the last event of this number that the response can contain.',
        example: true,
      }),
      type: openEnum(eventTypes, { description: 'The event type.', example: 'risk.reviewed' }),
      subject: Type.Object(
        {
          type: openEnum(eventNouns, { description: 'What was changed.', example: 'risk' }),
          id: idOfAny(subjectPrefixes, 'Its id.'),
        },
        { description: 'What the event is about.' },
      ),
      project_id: nullable(id('prj', 'The project of a project, a risk, an issue or a task.')),
      actor: Actor,
      request_id: nullable(id('req', 'The id of the request that made the change.')),
      changed: list(
        singleLine(50, { description: 'The name of a field.', example: 'likelihood' }),
        200,
        'The fields that changed.',
      ),
      note: nullable(
        multiLine(5000, { description: 'The note on the change.', example: 'Drains inspected.' }),
      ),
      details: Type.Unsafe<Readonly<Record<string, unknown>>>({
        type: 'object',
        description: 'What else the event says, such as the `user_id` of a member.',
        examples: [{}],
      }),
      occurred_at: timestamp({
        description: 'When the change was made. The order is that of `position`, not of this time.',
        example: '2026-11-18T00:41:02.113Z',
      }),
      states: Type.Optional(
        list(EventState, 2, 'The states after the change. Only with `include=states`.'),
      ),
    },
    { title: 'Event', description: 'Something that happened in the workspace.' },
  ),
  {},
)
export type LoggedEvent = Static<typeof LoggedEvent>

const subjectId = idOfAny(subjectPrefixes, 'The id of what was changed.')

export const feed = {
  list: operation({
    summary: 'Follow all changes.',
    description:
      'Returns the events of the workspace in the order of its sequence numbers, oldest first. ' +
      'Keep `position` and continue with `after`: no event is left out or returned twice. Events ' +
      'are never deleted. Returns what your scopes and projects allow: `personnel.read` for ' +
      'people and groups, `projects.read` for projects, risks, issues and tasks, `keys.read` for ' +
      'keys, and `workspace.read` for the rest. A page can be empty although `has_more` is true. ' +
      'With `Prefer: wait=30`, an empty response waits that many seconds for the next event. With ' +
      '`Accept: text/event-stream`, the response is a stream of events that does not end.',
    method: 'GET',
    path: '/v1/events',
    scope: 'any_principal',
    query: Type.Object(
      {
        after: Type.Optional(
          singleLine(limits.positionLengthMax, {
            description:
              'Only events after this position. `now` starts with the next event. Without it, ' +
              'the first event comes first.',
            example: 'now',
          }),
        ),
        limit: Type.Optional(
          integer(1, limits.page.max, {
            description: `The most events. Default: ${limits.page.default}.`,
            example: 100,
          }),
        ),
        type: Type.Optional(
          enumFilter(
            [...eventTypes, ...eventNouns.map((noun) => `${noun}.*` as const)],
            'Only events of these types. `risk.*` stands for all types of risks.',
            'risk.*',
          ),
        ),
        subject_id: Type.Optional(
          valuesFilter(subjectId, 'Only events about these.', limits.filterValuesMax),
        ),
        project_id: Type.Optional(
          valuesFilter(id('prj', 'The id of a project.'), 'Only events in these projects.'),
        ),
        include: Type.Optional(
          enumFilter(['states'], 'Extras to add to the response: `states`.', 'states'),
        ),
      },
      { additionalProperties: false },
    ),
    status: 200,
    response: Type.Object(
      {
        data: list(LoggedEvent, limits.page.max, 'The events, oldest first.'),
        count: integer(0, limits.page.max, {
          description: 'The number of events in this response.',
          example: 1,
        }),
        position: position('The next value of `after`, also if `data` is empty.'),
        has_more: booleanField({
          description: 'Whether there may be events after `position` now.',
          example: false,
        }),
        through: sequenceNumber({
          description: 'The sequence number of the workspace. The response has all up to it.',
          example: 417,
        }),
      },
      { title: 'Events', description: 'Events in the order of their positions.' },
    ),
    cache: 'none',
    problems: ['position_lost', 'too_many_streams'],
    isFollowed: true,
  }),
}
