import { Textarea } from '@mantine/core'

import { t } from '#text/index.ts'

import { useGrantor } from './grantor.ts'

/** Splits the text at whitespace, commas and semicolons; removes duplicates. */
export const parseNetworks = (text: string) => [
  ...new Set(text.split(/[\s,;]+/).filter((each) => each !== '')),
]

interface NetworksProps {
  readonly form: {
    readonly getValues: () => { readonly networks: string }
    readonly setFieldValue: (field: 'networks', text: string) => void
    readonly clearErrors: () => void
    readonly errors: Readonly<Record<string, unknown>>
  }
}

export function NetworksField({ form }: NetworksProps) {
  const { networks } = form.getValues()
  const own = useGrantor()
  const isBound = own.allowed_cidrs.length > 0
  return (
    <Textarea
      label={t('keys.networks')}
      description={
        isBound
          ? t('key.networks.bound', { networks: own.allowed_cidrs.join(', ') })
          : t('key.networks.about')
      }
      placeholder="203.0.113.0/24"
      autosize
      minRows={2}
      maxRows={8}
      autoComplete="off"
      spellCheck={false}
      value={networks}
      error={networksError(form.errors, parseNetworks(networks))}
      onChange={({ currentTarget }) => {
        form.clearErrors()
        form.setFieldValue('networks', currentTarget.value)
      }}
    />
  )
}

/** The API reports an invalid network by its index. The message names the network. */
function networksError(errors: Readonly<Record<string, unknown>>, networks: readonly string[]) {
  const all = errors['allowed_cidrs']
  if (typeof all === 'string') return all
  const invalid = networks.flatMap((network, index) => {
    const detail = errors[`allowed_cidrs.${index}`]
    return typeof detail === 'string' ? [{ network, detail }] : []
  })
  const [first] = invalid
  // All invalid networks break the same rule, so one detail is enough.
  return first ? `${invalid.map(({ network }) => network).join(', ')}: ${first.detail}.` : null
}
