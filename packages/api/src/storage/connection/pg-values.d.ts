/** A part of the driver that its types leave out. */
declare module 'pg/lib/utils.js' {
  const utils: {
    /** A value as the parameter of a statement. */
    readonly prepareValue: (value: unknown) => string | Buffer | null
  }
  export default utils
}
