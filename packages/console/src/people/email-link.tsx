import { Anchor } from '@mantine/core'

/** Encodes the email, so that it cannot add parameters to the mailto link. */
export const mailto = (email: string) =>
  `mailto:${encodeURIComponent(email).replaceAll('%40', '@')}`

export const EmailLink = ({ email }: { readonly email: string }) => (
  <Anchor href={mailto(email)} inherit className="wrap">
    {email}
  </Anchor>
)
