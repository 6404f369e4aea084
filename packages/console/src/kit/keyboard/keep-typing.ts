/**
 * Keys that are typed after a dialog was asked for and before its first field has the focus. The
 * code of a dialog loads on first use, so this can take seconds on a slow connection.
 */
const loadingMs = 10_000

/** Keys that a field with a list of choices handles, such as the palette. */
const commands = new Set(['Enter', 'ArrowDown', 'ArrowUp'])

/** The focus of a dialog itself says nothing: its content may still load. */
const controls = 'input, textarea, select, button, a'

let stop: (() => void) | null = null

/** Stops keeping keys and forgets them, for example because no dialog will open. */
export function dropTyping(): void {
  stop?.()
}

/**
 * Keeps what is typed from now on and puts it into the next text field of a dialog that gets the
 * focus. Nothing typed meanwhile is lost or reaches the page. Escape and a click end it.
 */
export function keepTyping(): void {
  if (stop !== null) return
  const keys: string[] = []
  const listeners = new AbortController()
  const timer = setTimeout(dropTyping, loadingMs)
  stop = () => {
    stop = null
    clearTimeout(timer)
    listeners.abort()
  }
  const options = { capture: true, signal: listeners.signal }
  window.addEventListener('keydown', (event) => keep(event, keys), options)
  window.addEventListener('pointerdown', dropTyping, options)
  window.addEventListener(
    'focusin',
    ({ target }) => {
      const isControl = target instanceof HTMLElement && target.matches(controls)
      if (!isControl || target.closest('[role=dialog]') === null) return
      dropTyping()
      if (isTextField(target)) void typeInto(target, keys)
    },
    options,
  )
}

function keep(event: KeyboardEvent, keys: string[]): void {
  const { key } = event
  if (key === 'Escape') return dropTyping()
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return undefined
  if (key === 'Backspace') keys.pop()
  else if (key.length === 1 || commands.has(key)) keys.push(key)
  else return undefined
  event.preventDefault()
  event.stopPropagation()
  return undefined
}

type TextField = HTMLInputElement | HTMLTextAreaElement

const isTextField = (element: HTMLElement): element is TextField =>
  element instanceof HTMLTextAreaElement ||
  (element instanceof HTMLInputElement && /^(?:text|search|email|url|tel)$/.test(element.type))

/**
 * Types the keys at the cursor. Text is inserted before the browser handles the next real key, and
 * replaces a selection as real keys do. A command waits until React has rendered the text.
 */
async function typeInto(field: TextField, keys: readonly string[]): Promise<void> {
  const isLong = field instanceof HTMLTextAreaElement
  const isCommand = (key: string) => commands.has(key) && !(isLong && key === 'Enter')
  const end = keys.findIndex(isCommand)
  const text = end === -1 ? keys : keys.slice(0, end)
  // The handlers of the focus come first.
  await Promise.resolve()
  insertText(field, text.map((key) => (key === 'Enter' ? '\n' : key)).join(''))
  for (const key of keys.slice(text.length).filter(isCommand)) {
    await new Promise((resolve) => setTimeout(resolve))
    field.dispatchEvent(new KeyboardEvent('keydown', { key, code: key, bubbles: true }))
  }
}

function insertText(field: TextField, text: string): void {
  if (text === '') return
  const { selectionStart, selectionEnd, value } = field
  field.setRangeText(text, selectionStart ?? value.length, selectionEnd ?? value.length, 'end')
  field.dispatchEvent(
    new InputEvent('input', { data: text, inputType: 'insertText', bubbles: true }),
  )
}
