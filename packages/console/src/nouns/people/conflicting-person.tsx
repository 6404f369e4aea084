import { Text } from '@mantine/core'

import { t } from '#text/index.ts'

import { InlinePersonLink } from './inline-person-link.tsx'

/** Links to the person who already has the email or external id: it may be the same person. */
export function ConflictingPerson({ userId }: { readonly userId: string | null }) {
  if (userId === null) return null
  return (
    <Text size="sm">
      {t('person.conflicting')} <InlinePersonLink userId={userId} />
    </Text>
  )
}
