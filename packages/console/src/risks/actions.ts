import type { Risk } from '@muster/contract'

import { cache, refresh } from '#api/cache.ts'
import { client } from '#api/client.ts'
import { t } from '#text/index.ts'
import { act, type Act } from '#ui/act.ts'
import { asBefore } from '#ui/changes.ts'
import { sayDone } from '#ui/toast.tsx'

import { riskKey, scaleQuery } from './queries.ts'
import { isLive, levelOf } from './risk-level.ts'

/** What all that is done to a risk has in common. */
const onRisk = (risk: Risk) => {
  const params = { project_id: risk.project_id, risk_id: risk.id }
  return {
    params,
    common: {
      thing: risk,
      key: riskKey(risk),
      view: () => client.risks.view({ params }),
      touches: ['risks', 'projects', 'issues', 'personnel'],
    } as const satisfies Partial<Act<Risk, unknown>>,
  }
}

type Body<V extends keyof typeof client.risks> =
  NonNullable<Parameters<(typeof client.risks)[V]>[0]> extends { body: infer B } ? B : never

/** Enters a risk. There is nothing that could be in its way, so there is no version to match. */
export async function enterRisk(projectId: string, body: Body<'create'>): Promise<Risk> {
  const risk = await client.risks.create({ params: { project_id: projectId }, body })
  sayDone(t('risk.entered', { ref: risk.ref }))
  await refresh('risks', 'projects', 'personnel')
  return risk
}

export type RiskEdit = Partial<
  Pick<
    Risk,
    | 'title'
    | 'description'
    | 'category'
    | 'response'
    | 'status'
    | 'owner_user_id'
    | 'review_on'
    | 'target'
    | 'inherent'
    | 'tags'
  >
>

/** Changes what has changed, and nothing else: the rest may be someone else's by now. */
export function editRisk(risk: Risk, changes: RiskEdit) {
  const { params, common } = onRisk(risk)
  // An acceptance that was ended can only be given anew, by whoever answers for it.
  const endsAcceptance = risk.acceptance !== null && changes.response !== undefined
  return act<Risk, Risk>({
    ...common,
    expected: changes,
    send: (ifMatch) => client.risks.update({ params, body: changes }, { ifMatch }),
    says: t('risk.edited', { ref: risk.ref }),
    ...(!endsAcceptance && {
      undo: ({ version }: Risk, before: Risk) =>
        client.risks.update({ params, body: asBefore(before, changes) }, { ifMatch: version }),
    }),
  })
}

export function reviewRisk(risk: Risk, body: Body<'review'>) {
  const { params, common } = onRisk(risk)
  const { likelihood = risk.likelihood, impact = risk.impact, review_on = null } = body
  const score = likelihood * impact
  const level = levelOf(cache.getQueryData(scaleQuery.queryKey), score)
  const rated = score === risk.score ? {} : { score, level }
  return act({
    ...common,
    // Only what changes: in a conflict, all that is here is what the reviewer wants.
    expected: {
      ...(likelihood !== risk.likelihood && { likelihood }),
      ...(impact !== risk.impact && { impact }),
      ...rated,
      review_on,
    },
    send: (ifMatch) => client.risks.review({ params, body }, { ifMatch }),
    says: t('risk.reviewed', { ref: risk.ref }),
  })
}

export function acceptRisk(risk: Risk, body: Body<'accept'>) {
  const { params, common } = onRisk(risk)
  const { response } = risk
  return act({
    ...common,
    expected: { response: 'accept' },
    send: (ifMatch) => client.risks.accept({ params, body }, { ifMatch }),
    says: t('risk.accepted', { ref: risk.ref }),
    // An acceptance that was there before cannot be brought back by anyone but who gave it.
    ...(response !== 'accept' && {
      undo: ({ version }: Risk) =>
        client.risks.update({ params, body: { response } }, { ifMatch: version }),
    }),
  })
}

/** It cannot be taken back: the issue that it became is there, and may be worked on. */
export function occurRisk(risk: Risk, body: Body<'occur'>) {
  const { params, common } = onRisk(risk)
  return act({
    ...common,
    expected: { status: 'occurred' },
    send: (ifMatch) => client.risks.occur({ params, body }, { ifMatch }),
    says: t('risk.occurred', { ref: risk.ref }),
  })
}

export function closeRisk(risk: Risk, body: Body<'close'>) {
  const { params, common } = onRisk(risk)
  return act({
    ...common,
    expected: { status: 'closed', close_reason: body.close_reason },
    send: (ifMatch) => client.risks.close({ params, body }, { ifMatch }),
    says: t('risk.closed', { ref: risk.ref }),
    // Reopening puts a risk on the register, which one that had come true was not on.
    ...(isLive(risk) && {
      undo: async ({ version }: Risk, { status }: Risk) => {
        const reopened = await client.risks.reopen({ params, body: {} }, { ifMatch: version })
        if (status === reopened.status || !isLive({ status })) return
        await client.risks.update({ params, body: { status } }, { ifMatch: reopened.version })
      },
    }),
  })
}

export function reopenRisk(risk: Risk, body: Body<'reopen'>) {
  const { params, common } = onRisk(risk)
  const { close_reason, close_note } = risk
  return act({
    ...common,
    expected: { status: 'identified', closed_at: null, close_reason: null, close_note: null },
    send: (ifMatch) => client.risks.reopen({ params, body }, { ifMatch }),
    says: t('risk.reopened', { ref: risk.ref }),
    ...(close_reason !== null && {
      undo: ({ version }: Risk) =>
        client.risks.close({ params, body: { close_reason, close_note } }, { ifMatch: version }),
    }),
  })
}
