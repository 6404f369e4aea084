import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'

import type { Locator } from 'playwright-core'

/**
 * Waits until the focus is at this, or in it. A menu or a dialog takes the focus a moment after it
 * is to be seen, and what is typed in between goes elsewhere.
 */
export const focusAt = (place: Locator): Promise<void> =>
  place.and(place.page().locator(':focus-within')).waitFor()

/** Goes on by this key until the focus is there, by Tab if no other is named. */
export async function tabTo(target: Locator, key = 'Tab'): Promise<void> {
  const isThere = () => target.evaluate((element) => element.matches(':focus'))
  for (let presses = 0; !(await isThere()); presses++) {
    assert.ok(presses < 80, `it cannot be reached by ${key}`)
    await target.page().keyboard.press(key)
  }
}

/** Chooses among what was found. While more is being found, the choice begins anew each time. */
export async function arrowTo(option: Locator): Promise<void> {
  const isChosen = () =>
    option.evaluate((element) => element.matches('[data-selected], [data-combobox-selected]'))
  for (let presses = 0; !(await isChosen()); presses++) {
    assert.ok(presses < 50, 'it cannot be reached by the arrows')
    await option.page().keyboard.press('ArrowDown')
    await sleep(100)
  }
}
