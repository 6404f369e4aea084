/**
 * The browser lets no text become markup unless this says so. The one text that does is the kit's
 * own style sheet, which has no markup in it; anything with a `<` is refused, whoever wrote it.
 */
interface Policies {
  createPolicy: (name: string, rules: { createHTML: (text: string) => string }) => unknown
}

export function trustNothingButStyles(): void {
  const { trustedTypes } = globalThis as { trustedTypes?: Policies }
  trustedTypes?.createPolicy('default', {
    createHTML: (text) => {
      if (text.includes('<')) throw new TypeError('The console makes no markup from text.')
      return text
    },
  })
}
