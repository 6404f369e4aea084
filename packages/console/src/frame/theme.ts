import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core'

import { t } from '#text/index.ts'

import classes from './theme.module.css'

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

/** Mantine's light surfaces and edges, from the tokens. Shade 4 is the edge of a control. */
const gray: MantineColorsTuple = [
  '#f7f8f9',
  '#f2f4f6',
  '#e9edf0',
  '#d4dadf',
  '#868f99',
  '#868f99',
  '#5d6873',
  '#46505a',
  '#2b3036',
  '#14181c',
]

/** Mantine's dark surfaces and edges, from the tokens. */
const dark: MantineColorsTuple = [
  '#e9ecef',
  '#b0b8c1',
  '#8c96a1',
  '#6b757f',
  '#363c43',
  '#24282d',
  '#1b1e22',
  '#121417',
  '#0c0e10',
  '#08090b',
]

interface Sized {
  readonly size?: unknown
}

const isSmall = ({ size }: Sized) =>
  typeof size === 'string' && (size === 'xs' || size.startsWith('compact'))

const buttonVars = (_theme: unknown, props: Sized) => ({
  root: {
    '--button-height': isSmall(props) ? 'var(--ctl-small)' : 'var(--ctl)',
    '--button-padding-x': isSmall(props) ? '8px' : '10px',
    '--button-fz': isSmall(props) ? 'var(--t-12)' : 'var(--t-13)',
  },
})

const inputVars = () => ({
  wrapper: { '--input-height': 'var(--field)', '--input-fz': 'var(--field-text)' },
})

/** Plain objects, because importing a component here would add it to the first load. */
const components = {
  Button: {
    defaultProps: { variant: 'default' },
    vars: buttonVars,
    classNames: { root: classes.button },
  },
  ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray', size: 28 } },
  Menu: {
    defaultProps: { width: 232, position: 'bottom-end' },
    classNames: { dropdown: classes.dropdown, item: classes.item, label: classes.itemLabel },
  },
  Popover: { classNames: { dropdown: classes.dropdown } },
  Tooltip: { defaultProps: { openDelay: 400, fz: 12 } },
  Input: { vars: inputVars, classNames: { input: classes.input } },
  InputWrapper: {
    classNames: { label: classes.label, description: classes.hint, error: classes.error },
  },
  Modal: {
    defaultProps: {
      size: 480,
      radius: 12,
      yOffset: 88,
      overlayProps: { color: 'var(--scrim)', backgroundOpacity: 1 },
      closeButtonProps: { 'aria-label': t('dialog.close') },
    },
    classNames: {
      inner: classes.dialogInner,
      content: classes.dialog,
      header: classes.dialogHeader,
      title: classes.dialogTitle,
      body: classes.dialogBody,
    },
  },
  Notification: {
    defaultProps: { closeButtonProps: { 'aria-label': t('toast.close') } },
    classNames: { root: classes.toast },
  },
  Alert: { classNames: { root: classes.alert, title: classes.alertTitle } },
}

export const theme = createTheme({
  colors: { tide, gray, dark },
  primaryColor: 'tide',
  primaryShade: { light: 8, dark: 8 },
  fontFamily: 'var(--font)',
  fontFamilyMonospace: 'var(--font-mono)',
  fontSizes: { xs: '11px', sm: '12px', md: '13px', lg: '14px', xl: '15px' },
  lineHeights: { xs: '16px', sm: '18px', md: '20px', lg: '22px', xl: '24px' },
  spacing: { xs: '4px', sm: '8px', md: '12px', lg: '16px', xl: '24px' },
  radius: { xs: '4px', sm: '6px', md: '8px', lg: '10px', xl: '12px' },
  defaultRadius: 'sm',
  headings: {
    fontWeight: '620',
    sizes: {
      h1: { fontSize: 'var(--t-22)', lineHeight: '28px' },
      h2: { fontSize: 'var(--t-13)', lineHeight: '20px' },
      h3: { fontSize: 'var(--t-13)', lineHeight: '20px' },
      h4: { fontSize: 'var(--t-13)', lineHeight: '20px' },
    },
  },
  cursorType: 'pointer',
  // Disables animations for users who prefer reduced motion.
  respectReducedMotion: true,
  components,
})

/** Mantine's names point at the tokens, so that its parts follow them in both themes. */
const variables = {
  '--mantine-color-body': 'var(--bg)',
  '--mantine-color-text': 'var(--fg)',
  '--mantine-color-bright': 'var(--fg)',
  '--mantine-color-dimmed': 'var(--fg-3)',
  '--mantine-color-placeholder': 'var(--fg-3)',
  '--mantine-color-default': 'var(--bg-raised)',
  '--mantine-color-default-hover': 'var(--bg-hover)',
  '--mantine-color-default-border': 'var(--line-strong)',
  '--mantine-color-default-color': 'var(--fg)',
  '--mantine-color-anchor': 'var(--accent)',
  '--mantine-color-error': 'var(--alarm)',
  '--mantine-color-tide-filled': 'var(--accent-fill)',
  '--mantine-color-tide-filled-hover': 'var(--accent-fill-hover)',
  '--mantine-color-tide-light': 'var(--accent-soft)',
  '--mantine-color-tide-light-hover': 'var(--bg-picked)',
  '--mantine-color-tide-light-color': 'var(--accent)',
  '--mantine-color-tide-text': 'var(--accent)',
  '--mantine-color-tide-outline': 'var(--accent)',
  '--mantine-color-gray-light-color': 'var(--fg-2)',
  '--mantine-color-gray-light-hover': 'var(--bg-press)',
  '--mantine-color-red-filled': 'light-dark(#b3261e, #b4362d)',
  '--mantine-color-red-filled-hover': 'light-dark(#971d16, #c23e34)',
  '--mantine-color-red-light': 'var(--alarm-soft)',
  '--mantine-color-red-light-color': 'var(--alarm)',
  '--mantine-color-red-text': 'var(--alarm)',
  '--mantine-color-red-outline': 'var(--alarm)',
} as const

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: variables,
  dark: variables,
})
