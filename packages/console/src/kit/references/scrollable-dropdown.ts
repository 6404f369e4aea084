/** Scrolls the option list itself: the keyboard cannot reach Mantine's scroll area. */
export const scrollableDropdown = {
  withScrollArea: false,
  styles: { options: { maxHeight: 240, overflowY: 'auto' } },
} as const
