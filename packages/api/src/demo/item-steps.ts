import type { NewRisk } from '@muster/contract'
import {
  issues,
  type RiskEvent,
  riskEvents,
  riskReviewer,
  risks,
  type StoryRisk,
} from '@muster/demo'

import { addIssue, closeIssue, updateIssue } from '#domain/projects/issues'
import {
  acceptRisk,
  closeRisk,
  occurRisk,
  reopenRisk,
  reviewRisk,
} from '#domain/projects/risk-lifecycle'
import { addRisk } from '#domain/projects/risks'

import { keeperOf } from './project-steps.ts'
import { checkRef, codeOf, type DemoCaller, type StoryStep, type Story } from './story.ts'

const closing = <R>({ reason, note }: { reason: R; note: string }) => ({
  close_reason: reason,
  close_note: note,
})

export function riskSteps(story: Story): StoryStep[] {
  const by = 'Risk office'
  return [
    ...risks.flatMap((risk): StoryStep[] => {
      const run = async (caller: DemoCaller) => {
        const added = await addRisk(caller, story.projectOf(risk.ref), newRisk(story, risk))
        checkRef(risk.ref, added.ref)
        story.define(risk.ref, added.id)
      }
      const { on, ref, close } = risk
      if (!close) return [{ on, by, run }]
      const end = (caller: DemoCaller) => closeRisk(caller, story.locate(ref), closing(close))
      return [
        { on, by, run },
        { on: close.on, by, run: end },
      ]
    }),
    ...riskEvents.map((event): StoryStep => {
      const reviewer = { person: riskReviewer }
      return { on: event.on, by: reviewer, run: (caller) => applyEvent(story, caller, event) }
    }),
  ]
}

function newRisk(story: Story, risk: StoryRisk): NewRisk {
  const {
    ref: _,
    on: __,
    close: ___,
    inherent,
    target,
    owner,
    tags = [],
    links = [],
    ...rest
  } = risk
  return {
    ...rest,
    inherent: inherent ? { likelihood: inherent[0], impact: inherent[1] } : null,
    target: target ? { ...target, due_on: story.dateOf(target.due_on) } : null,
    owner_user_id: story.idOf(owner),
    review_on: story.dateOf(risk.review_on),
    tags: [...tags],
    links: [...links],
  }
}

async function applyEvent(story: Story, caller: DemoCaller, event: RiskEvent): Promise<void> {
  const item = story.locate(event.risk)
  if ('reviewed' in event) {
    const review_on = story.dateOf(event.reviewed.review_on)
    await reviewRisk(caller, item, { ...event.reviewed, review_on })
  } else if ('accepted' in event) {
    const { by, rationale } = event.accepted
    const expires_on = story.dateOf(event.accepted.expires_on)
    const accepted_by_user_id = story.idOf(by)
    await acceptRisk(caller, item, { accepted_by_user_id, expires_on, rationale })
  } else if ('occurred' in event) {
    const { issue } = await occurRisk(caller, item, { note: event.occurred })
    story.define(issue.ref, issue.id)
  } else if ('closed' in event) await closeRisk(caller, item, closing(event.closed))
  else await reopenRisk(caller, item, { note: event.reopened })
}

/** An issue is created as open and updated later, so that its history shows both. */
export function issueSteps(story: Story): StoryStep[] {
  return issues.flatMap(({ ref, on, assignee, due_on, moved, close, ...fields }) => {
    const { tags = [], links = [], ...rest } = fields
    const by = keeperOf(codeOf(ref))
    const steps: StoryStep[] = []
    const step = (day: number, run: StoryStep['run']) => steps.push({ on: day, by, run })
    step(on, async (caller) => {
      const added = await addIssue(caller, story.projectOf(ref), {
        ...rest,
        due_on: story.dateOf(due_on),
        assignee_user_id: story.idOf(assignee),
        tags: [...tags],
        links: [...links],
      })
      checkRef(ref, added.ref)
      story.define(ref, added.id)
    })
    if (moved) {
      const { on: day, ...change } = moved
      step(day, (caller) => updateIssue(caller, story.locate(ref), change))
    }
    if (close) step(close.on, (caller) => closeIssue(caller, story.locate(ref), closing(close)))
    return steps
  })
}
