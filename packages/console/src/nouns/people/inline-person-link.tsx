import { personAddress } from '#data/addresses.ts'
import { AnchorLink } from '#kit/parts/links.tsx'
import { usePersonNames } from '#kit/references/people.tsx'

/** A person's name within a sentence. Underlined, because colour alone does not mark a link. */
export function InlinePersonLink({ userId }: { readonly userId: string }) {
  const names = usePersonNames([userId])
  return (
    <AnchorLink {...personAddress({ id: userId })} inherit underline="always" className="wrap">
      {names.get(userId) ?? '…'}
    </AnchorLink>
  )
}
