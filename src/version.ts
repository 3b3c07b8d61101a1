/** The version of this package; a test compares it with `package.json`. */
export const version = '0.1.0'

/** The name of Landform in plans, events and requests. */
export const tool = `landform/${version}`
