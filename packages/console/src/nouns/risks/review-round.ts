import type { Risk } from '@muster/contract'
import { useNavigate, useRouterState } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'

import { riskAddress } from '#data/addresses.ts'
import { getOrder, nextInOrder, setOrder, useEntryKey } from '#data/order.ts'
import { queryClient } from '#data/query-client.ts'
import { showError } from '#kit/feedback/toast.tsx'
import { dropTyping } from '#kit/keyboard/keep-typing.ts'

import { riskQuery } from './actions.ts'
import { isLive } from './risk-level.ts'

/**
 * Reviews of several risks in a row, in the order that their list had at the start. It changes only
 * with the list, so that rows keep theirs.
 */
export interface ReviewRound {
  /** Keeps the present order. The list is ranked anew after each review. */
  readonly start: () => void
  readonly hasNext: (risk: Risk) => boolean
  /** The next risk to review here; null if there is none or its page opens. */
  readonly next: (risk: Risk) => Promise<Risk | null>
}

/** Reviews beside the list. */
export function useListRound(): ReviewRound {
  const list = useEntryKey()
  return useMemo(() => {
    const key = `round ${list}`
    return {
      start: () => {
        const order = getOrder(list)
        if (order) setOrder(key, order)
      },
      hasNext: ({ id }) => hasNextInOrder(key, id),
      next: ({ id }) => nextLiveRisk(key, id),
    }
  }, [list])
}

/** The risk whose page opens with the review dialog. */
let awaited: string | null = null

/** Reviews on the pages of risks that were opened from a list. */
export function useRecordRound(): ReviewRound {
  const list = useRouterState({ select: ({ location }) => location.state.list })
  const navigate = useNavigate()
  const key = list ?? ''
  return {
    start: () => {},
    hasNext: ({ id }) => hasNextInOrder(key, id),
    next: async ({ id }) => {
      const risk = await nextLiveRisk(key, id)
      if (risk === null) return null
      awaited = risk.id
      await navigate({ ...riskAddress(risk), state: { list: key }, replace: true })
      return null
    },
  }
}

/** Whether the page of the risk opens with the review dialog. */
export function useIsAwaited({ id }: Risk): boolean {
  const [isAwaited] = useState(() => awaited === id)
  useEffect(() => {
    awaited = null
  }, [])
  return isAwaited
}

function hasNextInOrder(key: string, id: string): boolean {
  const order = getOrder(key)
  const at = order?.refs.findIndex((ref) => ref.id === id) ?? -1
  return (
    order !== undefined &&
    at !== -1 &&
    (at < order.refs.length - 1 || (order.rest?.sources.length ?? 0) > 0)
  )
}

/**
 * Risks that were closed or have occurred since are left out. A failed request ends the round: the
 * review before it is saved.
 */
async function nextLiveRisk(key: string, id: string): Promise<Risk | null> {
  try {
    for (let ref = await nextInOrder(key, id); ref; ref = await nextInOrder(key, ref.id)) {
      const query = riskQuery({ id: ref.id, project_id: ref.project_id ?? '' })
      const risk = await queryClient.fetchQuery({ ...query, staleTime: 0 })
      if (isLive(risk)) return risk
    }
  } catch (error) {
    showError(error)
  }
  dropTyping()
  return null
}
