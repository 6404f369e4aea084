import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core'

/** Blue green; shade 8 is dark enough for white text. */
const tide: MantineColorsTuple = [
  '#eaf6f8',
  '#d8eaee',
  '#aed4dc',
  '#81bdca',
  '#5daabb',
  '#479eb1',
  '#3a98ad',
  '#2b8498',
  '#13667a',
  '#075563',
]

export const theme = createTheme({
  colors: { tide },
  primaryColor: 'tide',
  primaryShade: { light: 8, dark: 8 },
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  defaultRadius: 'sm',
  cursorType: 'pointer',
  // Disables animations for users who prefer reduced motion.
  respectReducedMotion: true,
  headings: { fontWeight: '650' },
})

/** The contrast of Mantine's dimmed text and error red is too low (WCAG AA). */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#55606b',
    '--mantine-color-placeholder': '#66717c',
    '--mantine-color-error': '#c92a2a',
  },
  dark: {
    '--mantine-color-dimmed': '#b0b8c1',
    '--mantine-color-placeholder': '#98a1ab',
    '--mantine-color-error': '#ff8787',
  },
})
