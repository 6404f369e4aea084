/**
 * Trusted Types: the default policy rejects every string with a `<`. Mantine inserts its style
 * sheet as HTML text without markup, which is the only case allowed. A worker runs a script of the
 * console alone.
 */
interface Rules {
  readonly createHTML: (text: string) => string
  readonly createScriptURL: (url: string) => string
}

interface Policies {
  createPolicy: (name: string, rules: Rules) => unknown
}

export function installTrustedTypesPolicy(): void {
  const { trustedTypes } = globalThis as { trustedTypes?: Policies }
  trustedTypes?.createPolicy('default', {
    createHTML: (text) => {
      if (text.includes('<')) throw new TypeError('The console makes no markup from text.')
      return text
    },
    createScriptURL: (url) => {
      const { origin, pathname } = new URL(url, location.href)
      if (origin === location.origin && pathname.startsWith('/console/')) return url
      throw new TypeError('A worker runs a script of the console alone.')
    },
  })
}
