/**
 * Trusted Types: the default policy rejects every string with a `<`. Mantine inserts its style
 * sheet as HTML text without markup, which is the only case allowed.
 */
interface Policies {
  createPolicy: (name: string, rules: { createHTML: (text: string) => string }) => unknown
}

export function installTrustedTypesPolicy(): void {
  const { trustedTypes } = globalThis as { trustedTypes?: Policies }
  trustedTypes?.createPolicy('default', {
    createHTML: (text) => {
      if (text.includes('<')) throw new TypeError('The console makes no markup from text.')
      return text
    },
  })
}
