import { t } from './index.ts'

/** In this order, because browsers also name those that they are compatible with. */
const browsers = [
  [/\bEdg\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
] as const

const systems = [
  [/\bWindows\b/, 'Windows'],
  [/\bAndroid\b/, 'Android'],
  [/\b(?:iPhone|iPad)\b/, 'iOS'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
] as const

const find = (names: readonly (readonly [RegExp, string])[], text: string) =>
  names.find(([pattern]) => pattern.test(text))?.[1]

/** A User-Agent header as “Firefox on Linux”. An unknown one is shown unchanged. */
export function formatUserAgent(userAgent: string | null): string {
  if (userAgent === null) return t('value.none')
  const [browser, system] = [find(browsers, userAgent), find(systems, userAgent)]
  if (browser === undefined) return userAgent
  return system === undefined ? browser : t('user-agent', { browser, system })
}
