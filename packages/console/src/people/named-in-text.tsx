import { AnchorTo } from '#ui/links.tsx'
import { usePeople } from '#ui/people.tsx'

/** A person by name within a sentence, where colour alone would not tell a link from the rest. */
export function NamedInText({ userId }: { readonly userId: string }) {
  const names = usePeople([userId])
  return (
    <AnchorTo
      to="/people/$user_id"
      params={{ user_id: userId }}
      inherit
      underline="always"
      className="wrap"
    >
      {names.get(userId) ?? userId}
    </AnchorTo>
  )
}
