/** A path to the webhooks of a service, which may lie in a folder. */
export interface ServicePath {
  /** `<folder>/<ServiceName>.<ServiceType>`, or without a folder. */
  readonly service: string
  /** What is below the webhooks: an operation, or nothing. */
  readonly operation: string
}

const shape = /^\/services\/((?:[^/]+\/)?[^/]+)\/webhooks(?:\/([A-Za-z]+))?$/

/** Reads such a path. Reported: services in folders are addressed with the folder in front. */
export function parseServicePath(path: string): ServicePath | undefined {
  const [, service = '', operation = ''] = shape.exec(path) ?? []
  try {
    const names = service.split('/').map(decodeURIComponent)
    return names.some(name => name === '' || name.includes('/'))
      ? undefined
      : { service: names.join('/'), operation }
  } catch {
    return undefined
  }
}
