import { ProblemError } from '@muster/client'
import type { Assignment } from '@muster/contract'
import { useState } from 'react'

import { withFieldErrors } from '#kit/feedback/problem.tsx'
import { useKeptState } from '#kit/form/draft.ts'
import { t } from '#text/index.ts'

import type { HandoverLine } from './actions.ts'

/** The successor that a plan has for an item. */
type Planned = (id: string) => string | undefined

const none: readonly (readonly [itemId: string, userId: string | null])[] = []

/** The successor of each item of work, and the errors of the last request. */
export function useSuccessors(items: readonly Assignment[], planned: Planned = () => undefined) {
  const [pairs, setPairs] = useKeptState('successors', none)
  const changed = new Map(pairs)
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const chosen = new Map(
    items.flatMap(({ id }) => {
      const userId = changed.has(id) ? changed.get(id) : planned(id)
      return userId ? [[id, userId] as const] : []
    }),
  )
  const lines: HandoverLine[] = items.flatMap((item) => {
    const to_user_id = chosen.get(item.id)
    return to_user_id === undefined ? [] : [{ item, to_user_id }]
  })
  const choose = (ids: readonly string[], userId: string | null) => {
    setErrors({})
    setPairs((before) => {
      const others = before.filter(([id]) => !ids.includes(id))
      return [...others, ...ids.map((id) => [id, userId] as const)]
    })
  }
  return {
    items,
    lines,
    chosen,
    choose: (item: Assignment, userId: string | null) => choose([item.id], userId),
    chooseForAll: (userId: string | null) =>
      choose(
        items.map(({ id }) => id),
        userId,
      ),
    isComplete: lines.length === items.length,
    /** The error of an item: its place in the request is that of its line. */
    errorOf: ({ id }: Assignment): string | undefined => {
      const at = lines.findIndex(({ item }) => item.id === id)
      const fields = [`items.${at}.to_user_id`, `items.${at}.id`]
      return fields.map((field) => errors[field] ?? errors[`handover.${field}`]).find(Boolean)
    },
    /** Shows the errors of the items beside them; the notice gets each reason once. */
    send: async <R>(request: Promise<R>): Promise<R> => {
      try {
        return await withFieldErrors({ setErrors }, request)
      } catch (error) {
        throw withoutItems(error)
      }
    },
  }
}

function withoutItems(error: unknown): unknown {
  if (!(error instanceof ProblemError)) return error
  const { errors = [], ...problem } = error.problem
  const items = errors.filter(({ pointer }) => /^(\/handover)?\/items\//.test(pointer))
  if (items.length === 0) return error
  const reasons = [...new Set(items.map(({ detail }) => `${detail}.`))]
  return new ProblemError({ ...problem, title: t('handover.refused'), detail: reasons.join(' ') })
}

export type Successors = ReturnType<typeof useSuccessors>
