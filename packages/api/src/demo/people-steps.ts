import { groups, people, type PersonnelEvent, personnelEvents, riskReviewer } from '@muster/demo'

import { departPerson } from '#domain/handover/departures'
import { reassignWork } from '#domain/handover/handover'
import { addGroup, archiveGroup } from '#domain/people/groups'
import { changeMembers } from '#domain/people/members'
import {
  erasePerson,
  rejoinPerson,
  resumePerson,
  suspendPerson,
} from '#domain/people/person-lifecycle'
import { addPerson, updatePerson } from '#domain/people/personnel'

import type { DemoCaller, StoryStep, Story } from './story.ts'

/** The day on which the roster is imported. */
export const firstDay = -278

export function peopleSteps(story: Story): StoryStep[] {
  return [
    ...people.map(({ hired, key, manager, ...person }): StoryStep => {
      const run = async (caller: DemoCaller) => {
        const start_on = person.start_on ?? story.dateOf(hired)
        const manager_user_id = story.idOf(manager)
        const { id } = await addPerson(caller, { ...person, start_on, manager_user_id })
        story.define(key, id)
      }
      return { on: hired ?? firstDay, by: 'HR sync', run }
    }),
    ...groups.map(({ on, members, leads, ...group }): StoryStep => {
      const run = async (caller: DemoCaller) => {
        const member_user_ids = members.map((key) => story.idOf(key))
        const lead_user_ids = leads.map((key) => story.idOf(key))
        const { id } = await addGroup(caller, { ...group, member_user_ids, lead_user_ids })
        story.define(group.name, id)
      }
      return { on, by: 'HR sync', run }
    }),
    ...personnelEvents.map((event): StoryStep => {
      const by = 'relieved_by' in event ? { person: riskReviewer } : 'HR sync'
      return { on: event.on, by, run: (caller) => applyEvent(story, caller, event) }
    }),
  ]
}

function applyEvent(story: Story, caller: DemoCaller, event: PersonnelEvent): Promise<unknown> {
  if ('person' in event) return applyPersonEvent(story, caller, event)
  const id = story.idOf(event.group)
  if ('archived' in event) return archiveGroup(caller, id)
  return changeMembers(caller, id, { add: event.joined.map((key) => story.idOf(key)) })
}

function applyPersonEvent(
  story: Story,
  caller: DemoCaller,
  event: Extract<PersonnelEvent, { person: string }>,
): Promise<unknown> {
  const id = story.idOf(event.person)
  const because = (status_reason: string) => ({ status_reason })
  if ('suspended' in event) return suspendPerson(caller, id, because(event.suspended))
  if ('resumed' in event) return resumePerson(caller, id, because(event.resumed))
  if ('departed' in event) return departPerson(caller, id, because(event.departed))
  if ('rejoined' in event) return rejoinPerson(caller, id, because(event.rejoined))
  if ('erased' in event) return erasePerson(caller, id, { confirm: id })
  if ('relieved_by' in event) {
    return reassignWork(caller, id, { to_user_id: story.idOf(event.relieved_by) })
  }
  if ('leaves_on' in event) {
    return updatePerson(caller, { userId: id }, { end_on: story.dateOf(event.leaves_on) })
  }
  const { title, manager } = event.promoted
  return updatePerson(caller, { userId: id }, { title, manager_user_id: story.idOf(manager) })
}
