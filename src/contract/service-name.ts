import { webhookServiceTypes } from './operations.js'

/** The name of a service in the path of an operation. Service §4.2; services in folders are from public sources. */
export interface ServiceName {
  readonly folder?: string
  readonly name: string
  readonly type: (typeof webhookServiceTypes)[number]
}

/**
 * The form of a path segment, in any script. It has no dot at the beginning, so that no name leads to another path, and no
 * slashes, percent signs or invisible characters. The document does not show which names the service allows.
 */
const segment = /^[\p{L}\p{N}_(][\p{L}\p{M}\p{N}_ .()-]{0,119}$/u

/**
 * Parses `<ServiceName>.<ServiceType>` or `<Folder>/<ServiceName>.<ServiceType>`; `undefined` for anything else. Only
 * geoprocessing and feature services have webhooks, so another type is a mistake. Service §1, §4.2.
 */
export function parseServiceName(text: string): ServiceName | undefined {
  const slash = text.indexOf('/')
  const dot = text.lastIndexOf('.')
  const name = text.slice(slash + 1, Math.max(dot, 0))
  const type = webhookServiceTypes.find(known => known === text.slice(dot + 1))
  if (type === undefined || !segment.test(name)) return undefined
  if (slash === -1) return { name, type }
  const folder = text.slice(0, slash)
  return segment.test(folder) ? { folder, name, type } : undefined
}

/** Formats a service name. */
export function formatServiceName({ folder, name, type }: ServiceName): string {
  return `${folder === undefined ? '' : `${folder}/`}${name}.${type}`
}
