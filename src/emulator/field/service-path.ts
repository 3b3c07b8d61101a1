/** A path to the webhooks of a service, which may be in a folder. */
export interface ServicePath {
  /** `<folder>/<ServiceName>.<ServiceType>`, or without a folder. */
  readonly service: string
  /** The operation after `webhooks`, or nothing. */
  readonly operation: string
}

const shape = /^\/services\/((?:[^/]+\/)?[^/]+)\/webhooks(?:\/([A-Za-z]+))?$/

/** Parses such a path. Reported: the folder of a service comes before its name. */
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
