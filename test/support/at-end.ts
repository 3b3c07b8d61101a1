type AtEnd = (end: () => unknown, of?: 'file') => void

/**
 * Calls a function at the end of the running test. Outside of tests, as in hooks, or with `file`, calls it at the end of the
 * file, after its hooks. Does nothing in proofs.
 */
export const atEnd: AtEnd = (end, of) => (globalThis as { readonly atEnd?: AtEnd }).atEnd?.(end, of)
