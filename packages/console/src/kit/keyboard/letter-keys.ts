/** Single letters as keys. They can be turned off, because speech input can press them by mistake. */
const storageKey = 'muster.letter-keys'

export const areLettersOn = () => localStorage.getItem(storageKey) !== 'off'

export const setLettersOn = (isOn: boolean) => localStorage.setItem(storageKey, isOn ? 'on' : 'off')

/** Whether a key press goes into a field. */
export const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    (/^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName) &&
      !/^(?:checkbox|radio|button)$/.test((target as HTMLInputElement).type)))
