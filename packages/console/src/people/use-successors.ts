import { ProblemError } from '@muster/client'
import type { Assignment } from '@muster/contract'
import { useState } from 'react'

import { t } from '#text/index.ts'
import { withFieldErrors } from '#ui/problem.tsx'

import type { HandoverLine } from './actions.ts'

/** The successor of each item of work, and the errors of the last request. */
export function useSuccessors(items: readonly Assignment[]) {
  const [chosen, setChosen] = useState<ReadonlyMap<string, string>>(new Map())
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const lines: HandoverLine[] = items.flatMap((item) => {
    const to_user_id = chosen.get(item.id)
    return to_user_id === undefined ? [] : [{ item, to_user_id }]
  })
  const choose = (ids: readonly string[], userId: string | null) => {
    setErrors({})
    setChosen((before) => {
      const others = [...before].filter(([id]) => !ids.includes(id))
      return new Map([
        ...others,
        ...(userId === null ? [] : ids.map((id) => [id, userId] as const)),
      ])
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
      return errors[`items.${at}.to_user_id`] ?? errors[`items.${at}.id`]
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
  const items = errors.filter(({ pointer }) => pointer.startsWith('/items/'))
  if (items.length === 0) return error
  const reasons = [...new Set(items.map(({ detail }) => `${detail}.`))]
  return new ProblemError({ ...problem, title: t('handover.refused'), detail: reasons.join(' ') })
}

export type Successors = ReturnType<typeof useSuccessors>
