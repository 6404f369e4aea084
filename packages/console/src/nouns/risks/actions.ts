import type { Risk } from '@muster/contract'

import { previousValues } from '#data/change/changes.ts'
import { type Mutation, runMutation } from '#data/change/mutation.ts'
import { client } from '#data/client.ts'
import { invalidate, queryClient } from '#data/query-client.ts'
import { showError, showSuccess, type ToastLink } from '#kit/feedback/toast.tsx'
import { runBulk } from '#kit/list/bulk.tsx'
import { t } from '#text/index.ts'

import { riskKey, scaleQuery } from './queries.ts'
import { isLive, levelOf } from './risk-level.ts'

const invalidates = ['risks', 'projects', 'issues', 'personnel'] as const

const linkTo = ({ project_id, id }: Risk): ToastLink => ({
  text: t('toast.open'),
  to: '/projects/$project_id/risks/$risk_id',
  params: { project_id, risk_id: id },
})

/** The parts that all mutations of a risk share. */
const riskMutation = (risk: Risk) => {
  const params = { project_id: risk.project_id, risk_id: risk.id }
  return {
    params,
    base: {
      resource: risk,
      queryKey: riskKey(risk),
      fetchLatest: () => client.risks.view({ params }),
      invalidates,
      link: linkTo(risk),
    } as const satisfies Partial<Mutation<Risk, unknown>>,
  }
}

type Body<V extends keyof typeof client.risks> =
  NonNullable<Parameters<(typeof client.risks)[V]>[0]> extends { body: infer B } ? B : never

/** Creates a risk. There is no version to match. */
export async function createRisk(projectId: string, body: Body<'create'>): Promise<Risk> {
  const risk = await client.risks.create({ params: { project_id: projectId }, body })
  showSuccess(t('risk.entered', { ref: risk.ref }), undefined, linkTo(risk))
  await invalidate('risks', 'projects', 'personnel')
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
    | 'links'
  >
>

/** Sends changed fields only, so that concurrent changes of other fields are kept. */
export function editRisk(risk: Risk, changes: RiskEdit) {
  const { params, base } = riskMutation(risk)
  // No undo if the change ends an acceptance: only the accepting person can renew it.
  const endsAcceptance = risk.acceptance !== null && changes.response !== undefined
  return runMutation<Risk, Risk>({
    ...base,
    optimistic: changes,
    send: (ifMatch) => client.risks.update({ params, body: changes }, { ifMatch }),
    successMessage: t('risk.edited', { ref: risk.ref }),
    ...(!endsAcceptance && {
      undo: ({ version }: Risk, before: Risk) =>
        client.risks.update(
          { params, body: previousValues(before, changes) },
          { ifMatch: version },
        ),
    }),
  })
}

/** For editors without a dialog: shows an error as a notification. */
export const saveRisk = (risk: Risk, changes: RiskEdit) => editRisk(risk, changes).catch(showError)

/** Gives each risk to the owner; null for none. */
export const assignRisks = (risks: readonly Risk[], owner_user_id: string | null) =>
  runBulk({
    items: risks,
    send: (risk) => {
      const { params } = riskMutation(risk)
      return client.risks.update({ params, body: { owner_user_id } }, { ifMatch: risk.version })
    },
    invalidates,
    successMessage: (count) => t('risks.assigned', { count }),
  })

export const closeRisks = (risks: readonly Risk[], body: Body<'close'>) =>
  runBulk({
    items: risks,
    send: (risk) =>
      client.risks.close({ params: riskMutation(risk).params, body }, { ifMatch: risk.version }),
    invalidates,
    successMessage: (count) => t('risks.closed', { count }),
  })

export function reviewRisk(risk: Risk, body: Body<'review'>) {
  const { params, base } = riskMutation(risk)
  const { likelihood = risk.likelihood, impact = risk.impact, review_on = null } = body
  const score = likelihood * impact
  const level = levelOf(queryClient.getQueryData(scaleQuery.queryKey), score)
  const rated = score === risk.score ? {} : { score, level }
  return runMutation({
    ...base,
    // Changed fields only: the conflict dialog shows them as the reviewer's change.
    optimistic: {
      ...(likelihood !== risk.likelihood && { likelihood }),
      ...(impact !== risk.impact && { impact }),
      ...rated,
      review_on,
    },
    note: body.note ?? null,
    send: (ifMatch) => client.risks.review({ params, body }, { ifMatch }),
    successMessage: t('risk.reviewed', { ref: risk.ref }),
  })
}

export function acceptRisk(risk: Risk, body: Body<'accept'>) {
  const { params, base } = riskMutation(risk)
  const { response } = risk
  return runMutation({
    ...base,
    optimistic: { response: 'accept' },
    send: (ifMatch) => client.risks.accept({ params, body }, { ifMatch }),
    successMessage: t('risk.accepted', { ref: risk.ref }),
    // No undo for a renewal: the previous acceptance cannot be restored.
    ...(response !== 'accept' && {
      undo: ({ version }: Risk) =>
        client.risks.update({ params, body: { response } }, { ifMatch: version }),
    }),
  })
}

/** No undo: the issue exists and may be in progress. */
export function occurRisk(risk: Risk, body: Body<'occur'>) {
  const { params, base } = riskMutation(risk)
  return runMutation({
    ...base,
    optimistic: { status: 'occurred' },
    send: (ifMatch) => client.risks.occur({ params, body }, { ifMatch }),
    successMessage: t('risk.occurred', { ref: risk.ref }),
  })
}

export function closeRisk(risk: Risk, body: Body<'close'>) {
  const { params, base } = riskMutation(risk)
  return runMutation({
    ...base,
    optimistic: { status: 'closed', close_reason: body.close_reason },
    send: (ifMatch) => client.risks.close({ params, body }, { ifMatch }),
    successMessage: t('risk.closed', { ref: risk.ref }),
    // Reopening puts the risk on the register. An occurred risk was not on it, so no undo for it.
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
  const { params, base } = riskMutation(risk)
  const { close_reason, close_note } = risk
  return runMutation({
    ...base,
    optimistic: { status: 'identified', closed_at: null, close_reason: null, close_note: null },
    send: (ifMatch) => client.risks.reopen({ params, body }, { ifMatch }),
    successMessage: t('risk.reopened', { ref: risk.ref }),
    ...(close_reason !== null && {
      undo: ({ version }: Risk) =>
        client.risks.close({ params, body: { close_reason, close_note } }, { ifMatch: version }),
    }),
  })
}
