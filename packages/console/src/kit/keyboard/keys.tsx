import { keyCaps } from './shortcuts.ts'

import classes from './keys.module.css'

/** The keys of a shortcut, each as a key cap. */
export function Keys({ keys }: { readonly keys: string }) {
  return (
    <span className={classes.keys}>
      {keyCaps(keys).map((cap) => (
        <kbd key={cap} className={classes.cap}>
          {cap}
        </kbd>
      ))}
    </span>
  )
}
