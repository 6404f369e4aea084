import { Text } from '@mantine/core'
import { ProblemError } from '@muster/client'
import { useState } from 'react'

import { t } from '#text/index.ts'

import { InlinePersonLink } from './inline-person-link.tsx'

/** Links to the person who already has the email or external id: it may be the same person. */
export function useConflictingPerson() {
  const [userId, setUserId] = useState<string | null>(null)
  return {
    notice: userId !== null && (
      <Text size="sm">
        {t('person.conflicting')} <InlinePersonLink userId={userId} />
      </Text>
    ),
    trackConflict: async <R,>(request: Promise<R>): Promise<R> => {
      setUserId(null)
      try {
        return await request
      } catch (error) {
        setUserId(conflictingId(error))
        throw error
      }
    },
  }
}

function conflictingId(error: unknown): string | null {
  if (!(error instanceof ProblemError)) return null
  const { conflicting_id: id } = error.problem
  return typeof id === 'string' ? id : null
}
