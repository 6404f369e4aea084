import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core'

import { IconMoon, IconSun } from '#kit/icons/index.tsx'
import { t } from '#text/index.ts'

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
