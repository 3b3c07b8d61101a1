/** The version of this package; a test holds it to `package.json`. */
export const version = '0.1.0'

/** The name of Landform in plans, events and requests. */
export const tool = `landform/${version}`
