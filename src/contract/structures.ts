/** The object around the array of volume entries in `volumesConfig`. Service §4.3. */
export const volumesWrapper = 'volumesConfig'

/** The field of the architecture profile object. Service §2.7. */
export const profileField = 'name'

/** The field of the log settings object; its values are not shown. Service §2.7, §4.3. */
export const logLevelField = 'logLevel'
