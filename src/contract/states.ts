/** The documented overall states of a configuration; others, including failures, are not shown. Service §3. */
export const siteStates = { running: 'in_progress', done: 'ready' } as const

/** The child resources that the root resource names. Service §2.3. */
export const rootResources = ['orgs', 'logs', 'system', 'datastores', 'uploads', 'services'] as const

/** The values of `status` in the responses of `exportSite`, `deleteAll` and `update`. Service §2.1, §4.2, §4.4. */
export const results = { success: 'success', warning: 'success with warning' } as const

/** The ending of an exported file's name. Service §2.1. */
export const exportFileEnding = '.portalsite'

/** `error.code` of `exportSite` when the location cannot be written, the one code the document shows. Service §7. */
export const inaccessibleLocationCode = 500
