import { t } from '#text/index.ts'

/** A field that cannot be left empty: said at once, and more plainly than the service would. */
export const needed = (text: string) => (text.trim() === '' ? t('field.needed') : null)

interface Checked {
  readonly validate: () => { readonly errors: object; readonly hasErrors: boolean }
  readonly getInputNode: (path: string) => HTMLElement | null
}

/** Whether all that is needed is there; whoever left something out is taken to the first of it. */
export function isComplete(form: Checked): boolean {
  const { errors, hasErrors } = form.validate()
  if (hasErrors) form.getInputNode(Object.keys(errors)[0] ?? '')?.focus()
  return !hasErrors
}
