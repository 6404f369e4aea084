import { t } from '#text/index.ts'

/** Validates a required field without a request. */
export const required = (text: string) => (text.trim() === '' ? t('field.needed') : null)

interface ValidatableForm {
  readonly validate: () => { readonly errors: object; readonly hasErrors: boolean }
  readonly getInputNode: (path: string) => HTMLElement | null
}

/** Validates the form and focuses the first invalid field. */
export function validateForm(form: ValidatableForm): boolean {
  const { errors, hasErrors } = form.validate()
  if (hasErrors) form.getInputNode(Object.keys(errors)[0] ?? '')?.focus()
  return !hasErrors
}
