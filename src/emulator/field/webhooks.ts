import { buildResponse, buildSuccess, notFound, rejectRequest } from '../service/answers.js'
import { checkService } from '../service/delete-all.js'
import type { EmulatorJsonObject } from '../service/json.js'
import type { Handler, World } from '../service/world.js'

/** Lists the webhooks of a service, active or not (server administrator API reference). */
export const listWebhooks: Handler = buildServiceHandler((world, service) => request => [
  world,
  buildResponse(request, { webhooks: buildWebhookRecords(world, service) }),
])

/** Activates or deactivates the webhooks of a service, without deleting them. Reported. */
export function buildActivation(active: boolean): Handler {
  return buildServiceHandler((world, service) => request => {
    const inactiveWebhooks = new Set(world.field.inactiveWebhooks)
    if (active) inactiveWebhooks.delete(service)
    else inactiveWebhooks.add(service)
    return [{ ...world, field: { ...world.field, inactiveWebhooks } }, buildSuccess(request)]
  })
}

type ServiceStep = (world: World, service: string) => (request: Parameters<Handler>[1]) => ReturnType<Handler>

function buildServiceHandler(step: ServiceStep): Handler {
  return (world, request) => {
    const service = parseServicePath(request.path ?? '')?.service
    if (service === undefined) return rejectRequest(world, request, notFound)
    const problem = checkService(world, service)
    return problem === undefined
      ? step(world, service)(request)
      : rejectRequest(world, request, { message: problem })
  }
}

/** Builds the reported records, without the address and the key of a webhook: the emulator stores neither. */
function buildWebhookRecords(world: World, service: string): readonly EmulatorJsonObject[] {
  const [name = '', folderName = ''] = service.split('/').reverse()
  const dot = name.lastIndexOf('.')
  return Array.from({ length: world.webhooks?.get(service) ?? 0 }, (_, index) => ({
    id: `webhook-${index + 1}`,
    folderName,
    serviceName: name.slice(0, dot),
    serviceType: name.slice(dot + 1),
    name: `Webhook ${index + 1}`,
    changeTypes: ['*'],
    active: !world.field.inactiveWebhooks.has(service),
  }))
}

/** A path to the webhooks of a service, which may be in a folder. */
interface ServicePath {
  /** `<folder>/<ServiceName>.<ServiceType>`, or without a folder. */
  readonly service: string
  /** The operation after `webhooks`; empty if there is none. */
  readonly operation: string
}

const shape = /^\/services\/((?:[^/]+\/)?[^/]+)\/webhooks(?:\/([A-Za-z]+))?$/

/** Parses a path to webhooks. Reported: the folder of a service comes before its name. */
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
