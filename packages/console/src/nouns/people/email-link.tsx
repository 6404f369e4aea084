import { Anchor } from '@mantine/core'
import { Fragment } from 'react'

/** Encodes the email, so that it cannot add parameters to the mailto link. */
export const mailto = (email: string) =>
  `mailto:${encodeURIComponent(email).replaceAll('%40', '@')}`

/** An email that breaks after a dot or the @ rather than inside a word. */
export const BreakableEmail = ({ email }: { readonly email: string }) =>
  [...email.matchAll(/[^@.]*[@.]?/g)].map(({ 0: part, index }) => (
    <Fragment key={index}>
      {part}
      <wbr />
    </Fragment>
  ))

export const EmailLink = ({ email }: { readonly email: string }) => (
  <Anchor href={mailto(email)} inherit className="wrap">
    <BreakableEmail email={email} />
  </Anchor>
)
