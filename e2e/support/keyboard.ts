import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'

import type { Locator } from 'playwright-core'

/**
 * Waits until the element or a descendant has the focus. Menus and dialogs take the focus shortly
 * after they appear; keys pressed before that go to the previous element.
 */
export const waitForFocus = (target: Locator): Promise<void> =>
  target.and(target.page().locator(':focus-within')).waitFor()

/** Presses the key, Tab by default, until the target has the focus. */
export async function tabTo(target: Locator, key = 'Tab'): Promise<void> {
  const isThere = () => target.evaluate((element) => element.matches(':focus'))
  for (let presses = 0; !(await isThere()); presses++) {
    assert.ok(presses < 80, `${key} does not reach the target`)
    await target.page().keyboard.press(key)
  }
}

/** Selects an option with the arrow keys. New results reset the selection. */
export async function arrowTo(option: Locator): Promise<void> {
  const isChosen = () =>
    option.evaluate((element) => element.matches('[data-selected], [data-combobox-selected]'))
  for (let presses = 0; !(await isChosen()); presses++) {
    assert.ok(presses < 50, 'the arrow keys do not reach the option')
    await option.page().keyboard.press('ArrowDown')
    await sleep(100)
  }
}
