import { Anchor } from '@mantine/core'

/** Nothing of an email is taken for more than the address to write to. */
export function EmailLink({ email }: { readonly email: string }) {
  const address = encodeURIComponent(email).replaceAll('%40', '@')
  return (
    <Anchor href={`mailto:${address}`} inherit className="wrap">
      {email}
    </Anchor>
  )
}
