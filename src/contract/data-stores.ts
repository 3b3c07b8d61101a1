/** The fields of one element of `userManagedStores`. Service §2.6. */
export const dataStoreFields = {
  clientPath: 'Path that clients use.',
  type: 'Kind of the store; the allowed values are not shown.',
} as const

/** The fields of `info` in an element of `userManagedStores`. Service §2.6. */
export const fileServerFields = {
  fileServerHost: 'Host name of the file server.',
  fileServerType: 'Type of the file server; the allowed values are not shown.',
  fileServerPath: 'Path on the file server.',
} as const
