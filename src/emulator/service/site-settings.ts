import type { dataStoreFields, fileServerFields } from '../../contract/data-stores.js'
import { profileNames } from '../../contract/profiles.js'
import { logLevelField, profileField } from '../../contract/structures.js'
import { type Check, listOf, oneOf, record, text } from './shape.js'

/** The value of `systemArchitectureProfile`. Service §2.7. */
export const architectureProfile: Check = record({ [profileField]: oneOf(profileNames) })

/** The value of `logSettings`; which levels exist is not shown. Service §2.7. */
export const logSettings: Check = record({ [logLevelField]: text })

/** The value of `userManagedStores`; the kinds of stores and file servers are not shown. Service §2.6. */
export const userManagedStores: Check = listOf(
  record({
    clientPath: text,
    type: text,
    info: record({
      fileServerHost: text,
      fileServerType: text,
      fileServerPath: text,
    } satisfies Record<keyof typeof fileServerFields, Check>),
  } satisfies Record<keyof typeof dataStoreFields | 'info', Check>),
)
