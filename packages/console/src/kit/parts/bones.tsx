import { t } from '#text/index.ts'

import classes from './bones.module.css'

/** Rows of the height of real ones while the first page of a list loads. */
export function Bones({ count = 12 }: { readonly count?: number }) {
  return (
    <div role="status" aria-label={t('page.loading')}>
      {Array.from({ length: count }, (_, index) => (
        <div key={index} className={classes.row} data-bone>
          <span />
          <span style={{ width: `${70 - ((index * 7) % 40)}%` }} />
          <span />
        </div>
      ))}
    </div>
  )
}

/** A page whose code loads: its bar, its toolbar and rows. */
export const PageBones = () => (
  <div className={classes.page}>
    <div className={classes.bar} />
    <div className={classes.toolbar} />
    <Bones count={20} />
  </div>
)

/** The whole console, before it is known who is signed in. */
export const FrameBones = () => (
  <div className={classes.frame}>
    <div className={classes.side} />
    <PageBones />
  </div>
)
