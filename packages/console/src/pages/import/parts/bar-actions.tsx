import { createContext, type ReactNode, use } from 'react'
import { createPortal } from 'react-dom'

/** The end of the bar of the page, where each step has its buttons. */
export const BarSlot = createContext<HTMLElement | null>(null)

/** Shows the buttons of a step in the bar of the page. */
export function BarActions({ children }: { readonly children: ReactNode }) {
  const slot = use(BarSlot)
  return slot && createPortal(children, slot)
}
