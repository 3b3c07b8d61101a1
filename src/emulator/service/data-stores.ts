import type { dataStoreFields, fileServerFields } from '../../contract/data-stores.js'
import { arrayCheck, type Check, record, text } from './shape.js'

/** The value of `userManagedStores`; the kinds of stores and file servers are not documented. Service §2.6. */
export const userManagedStores: Check = arrayCheck(
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
