/** The list of a picker scrolls itself, and not a box in it that the keyboard cannot reach. */
export const scrolling = {
  withScrollArea: false,
  styles: { options: { maxHeight: 240, overflowY: 'auto' } },
} as const
