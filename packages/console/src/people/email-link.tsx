import { Anchor } from '@mantine/core'

/** Encodes the email, so that it cannot add parameters to the mailto link. */
export function EmailLink({ email }: { readonly email: string }) {
  const address = encodeURIComponent(email).replaceAll('%40', '@')
  return (
    <Anchor href={`mailto:${address}`} inherit className="wrap">
      {email}
    </Anchor>
  )
}
