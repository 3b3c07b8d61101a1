/** The fields of one element of `userManagedStores`. Service §2.6. */
export const dataStoreFields = {
  clientPath: 'Clients use this path.',
  type: 'The store is of this kind; the allowed values are not shown.',
} as const

/** The fields of `info` in an element of `userManagedStores`. Service §2.6. */
export const fileServerFields = {
  fileServerHost: 'The file server has this host name.',
  fileServerType: 'The file server is of this type; the allowed values are not shown.',
  fileServerPath: 'The data store is at this path on the file server.',
} as const
