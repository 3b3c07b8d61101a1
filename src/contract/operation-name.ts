/** The operations that the service document describes. Service §4. */
export type OperationName = 'root' | 'configure' | 'update' | 'exportSite' | 'deleteAll'
