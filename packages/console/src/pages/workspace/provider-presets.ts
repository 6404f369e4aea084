/** Providers whose issuer has a known form. */
export const presetNames = ['entra', 'okta', 'google'] as const
export type PresetName = (typeof presetNames)[number]

interface Preset {
  readonly issuer: string
  /** The part of the issuer that the administrator replaces. */
  readonly placeholder: string | null
  readonly match: 'email' | 'external_id'
  readonly host: RegExp
}

/** Entra does not state that an email is verified, so accounts are found by another claim. */
export const presets: Readonly<Record<PresetName, Preset>> = {
  entra: {
    issuer: 'https://login.microsoftonline.com/TENANT_ID/v2.0',
    placeholder: 'TENANT_ID',
    match: 'external_id',
    host: /^login\.microsoftonline\.(?:com|us)$/,
  },
  okta: {
    issuer: 'https://YOUR_DOMAIN.okta.com',
    placeholder: 'YOUR_DOMAIN',
    match: 'email',
    host: /\.okta(?:-emea)?\.com$/i,
  },
  google: {
    issuer: 'https://accounts.google.com',
    placeholder: null,
    match: 'email',
    host: /^accounts\.google\.com$/,
  },
}

/** The preset that an issuer belongs to; null for another provider. */
export function presetOf(issuer: string): PresetName | null {
  const host = URL.parse(issuer)?.hostname
  return presetNames.find((name) => host !== undefined && presets[name].host.test(host)) ?? null
}

/** The part of an issuer that is still to be replaced; null if there is none. */
export const placeholderIn = (issuer: string): string | null =>
  Object.values(presets)
    .map(({ placeholder }) => placeholder)
    .find((placeholder) => placeholder !== null && issuer.includes(placeholder)) ?? null
