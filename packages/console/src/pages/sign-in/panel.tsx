import { useDocumentTitle } from '@mantine/hooks'
import type { ReactNode } from 'react'

import { Logo } from '#kit/parts/logo.tsx'

import classes from './sign-in.module.css'

interface Props {
  readonly title: string
  readonly children: ReactNode
  readonly footer?: ReactNode
}

/** A page without the frame: before a sign-in, and just after it. */
export function Panel({ title, children, footer }: Props) {
  useDocumentTitle(`${title} · Muster`)
  return (
    <div className={classes.page}>
      <main className={classes.panel}>
        <Logo size={36} />
        <h1 className={classes.title}>{title}</h1>
        {children}
      </main>
      {footer && <footer className={classes.foot}>{footer}</footer>}
    </div>
  )
}
