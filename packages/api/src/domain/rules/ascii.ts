/**
 * Lower case of the letters A to Z alone. `toLowerCase` maps other letters to these, such as the
 * Kelvin sign (U+212A) to k: an account could claim the address of someone else.
 */
export const asciiLowerCase = (text: string) =>
  text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
