/** A step by hand: what it adds to a file, and what finds that it was forgotten. */
export interface Edit {
  readonly file: string
  /** Each text with the one that it follows in the file. That is empty for a new file. */
  readonly inserts: readonly (readonly [after: string, text: string])[]
  /** The compiler, or a file of tests. */
  readonly foundBy: string
}
