import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core'

import { t } from '#text/index.ts'

import { IconMoon, IconSun } from './icons/index.tsx'

/** Switches between the light and the dark theme. */
export function useThemeToggle() {
  const { setColorScheme } = useMantineColorScheme()
  const isDark = useComputedColorScheme('light', { getInitialValueInEffect: false }) === 'dark'
  return {
    name: t(isDark ? 'shell.light' : 'shell.dark'),
    Icon: isDark ? IconSun : IconMoon,
    toggle: () => setColorScheme(isDark ? 'light' : 'dark'),
  }
}
