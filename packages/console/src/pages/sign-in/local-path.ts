/** Prevents an open redirect: only paths of this origin are allowed. */
export const localPath = (address: string) => (/^\/(?![/\\])/.test(address) ? address : '/')
