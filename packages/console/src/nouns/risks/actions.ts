import type { NewRisk, Risk, RiskPatch } from '@muster/contract'

import { riskAddress } from '#data/addresses.ts'
import { runMutation } from '#data/change/mutation.ts'
import { resource, withToast } from '#data/change/resource.ts'
import { client } from '#data/client.ts'
import { queryClient } from '#data/query-client.ts'
import { runBulk } from '#kit/list/bulk.tsx'
import { t } from '#text/index.ts'

import { type RiskRef, scaleQuery, toParams } from './queries.ts'
import { isLive, levelOf } from './risk-level.ts'

const invalidates = ['risks', 'projects', 'issues', 'personnel'] as const

const risks = resource<Risk, RiskRef, RiskPatch>({
  noun: 'risks',
  invalidates,
  view: (ref, options) => client.risks.view({ params: toParams(ref) }, options),
  update: (risk, body, ifMatch) =>
    client.risks.update({ params: toParams(risk), body }, { ifMatch }),
  // Another response ends an acceptance, which only the accepting person can renew.
  canUndo: ({ acceptance }, { response }) => acceptance === null || response === undefined,
  linkTo: (risk) => ({ text: t('word.open'), ...riskAddress(risk) }),
})

export const riskQuery = risks.query

export async function createRisk(project_id: string, body: NewRisk): Promise<Risk> {
  const risk = await client.risks.create({ params: { project_id }, body })
  return risks.created(risk, t('risk.entered', { ref: risk.ref }))
}

/** Returns null and sends nothing if no field changed. */
export const editRisk = (risk: Risk, wanted: RiskPatch) =>
  risks.edit(risk, wanted, t('item.edited', { ref: risk.ref }))

export const saveRisk = (risk: Risk, wanted: RiskPatch) => withToast(editRisk(risk, wanted))

/** Gives each risk to the owner; null for none. */
export const assignRisks = (some: readonly Risk[], owner_user_id: string | null) =>
  runBulk({
    items: some,
    send: (risk) => {
      const params = toParams(risk)
      return client.risks.update({ params, body: { owner_user_id } }, { ifMatch: risk.version })
    },
    invalidates,
    successMessage: (count) => t('risks.assigned', { count }),
  })

interface ReviewBody {
  readonly likelihood: number
  readonly impact: number
  readonly note: string
  readonly review_on: string | null
}

export function reviewRisk(risk: Risk, body: ReviewBody) {
  const { likelihood, impact, review_on } = body
  const score = likelihood * impact
  const level = levelOf(queryClient.getQueryData(scaleQuery.queryKey), score)
  return runMutation({
    ...risks.base(risk),
    // Changed fields only: the conflict dialog shows them as the reviewer's change.
    optimistic: {
      ...(likelihood !== risk.likelihood && { likelihood }),
      ...(impact !== risk.impact && { impact }),
      ...(score !== risk.score && { score, level }),
      review_on,
    },
    note: body.note,
    send: (ifMatch) => client.risks.review({ params: toParams(risk), body }, { ifMatch }),
    successMessage: t('risk.reviewed', { ref: risk.ref }),
  })
}

export type AcceptRiskBody = Pick<
  NonNullable<Risk['acceptance']>,
  'accepted_by_user_id' | 'expires_on' | 'rationale'
>

export function acceptRisk(risk: Risk, body: AcceptRiskBody) {
  const params = toParams(risk)
  const { response } = risk
  return runMutation({
    ...risks.base(risk),
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

interface NoteBody {
  readonly note?: string
}

/** No undo: the issue exists and may be in progress. */
export const occurRisk = (risk: Risk, body: NoteBody) =>
  runMutation({
    ...risks.base(risk),
    optimistic: { status: 'occurred' },
    send: (ifMatch) => client.risks.occur({ params: toParams(risk), body }, { ifMatch }),
    successMessage: t('risk.occurred', { ref: risk.ref }),
  })

export type CloseRiskBody = Pick<Risk, 'close_note'> & {
  readonly close_reason: NonNullable<Risk['close_reason']>
}

export function closeRisk(risk: Risk, body: CloseRiskBody) {
  const params = toParams(risk)
  return runMutation({
    ...risks.base(risk),
    optimistic: { status: 'closed', close_reason: body.close_reason },
    send: (ifMatch) => client.risks.close({ params, body }, { ifMatch }),
    successMessage: t('item.closed', { ref: risk.ref }),
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

export const closeRisks = (some: readonly Risk[], body: CloseRiskBody) =>
  runBulk({
    items: some,
    send: (risk) => client.risks.close({ params: toParams(risk), body }, { ifMatch: risk.version }),
    invalidates,
    successMessage: (count) => t('risks.closed', { count }),
  })

export function reopenRisk(risk: Risk, body: NoteBody) {
  const params = toParams(risk)
  const { close_reason, close_note } = risk
  return runMutation({
    ...risks.base(risk),
    optimistic: { status: 'identified', closed_at: null, close_reason: null, close_note: null },
    send: (ifMatch) => client.risks.reopen({ params, body }, { ifMatch }),
    successMessage: t('risk.reopened', { ref: risk.ref }),
    ...(close_reason !== null && {
      undo: ({ version }: Risk) =>
        client.risks.close({ params, body: { close_reason, close_note } }, { ifMatch: version }),
    }),
  })
}
