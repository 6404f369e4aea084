import { AnchorLink } from '#kit/parts/links.tsx'
import { t } from '#text/index.ts'

import { useKeyName } from './queries.ts'

import classes from './keys.module.css'

interface Props {
  readonly id: string
  /** Adds the start of the secret, because two keys can have the same name. */
  readonly withHint?: boolean
}

/** A link to a key, by its name. */
export function KeyLink({ id, withHint = false }: Props) {
  const { name, hint } = useKeyName(id)
  return (
    <>
      <AnchorLink to="/keys/$key_id" params={{ key_id: id }} search={{}} inherit className="wrap">
        {name}
      </AnchorLink>
      {withHint && ' '}
      {withHint && hint !== null && <Hint hint={hint} />}
    </>
  )
}

/** The start of the secret. */
export const Hint = ({ hint }: { readonly hint: string }) => (
  <code className={classes.hint} title={t('keys.hint.about')}>
    {hint}…
  </code>
)
