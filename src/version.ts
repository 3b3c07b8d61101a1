/** The version of this package; a test holds it to `package.json`. */
export const version = '0.1.0'

/** How Landform names itself in plans and events. */
export const tool = `landform/${version}`
