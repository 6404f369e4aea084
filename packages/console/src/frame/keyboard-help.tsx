import { Modal } from '@mantine/core'

import { Keys } from '#kit/keyboard/keys.tsx'
import { useRestoreFocus } from '#kit/keyboard/restore-focus.ts'
import { shortcutGroups } from '#kit/keyboard/shortcuts.ts'
import { t } from '#text/index.ts'

import classes from './keyboard-help.module.css'

/** All keys of the console. */
export function KeyboardHelp({ onClose }: { readonly onClose: () => void }) {
  useRestoreFocus()
  return (
    <Modal opened onClose={onClose} title={t('keyboard.title')} size={760}>
      <div className={classes.groups}>
        {shortcutGroups.map(({ title, shortcuts }) => (
          <section key={title}>
            <h3 className={classes.title}>{t(title)}</h3>
            <dl>
              {shortcuts.map(({ keys, text }) => (
                <div key={keys} className={classes.line}>
                  <dt>{t(text)}</dt>
                  <dd>
                    <Keys keys={keys} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <p className={classes.note}>{t('keyboard.off')}</p>
    </Modal>
  )
}
