import type { IncomingMessage, ServerResponse } from 'node:http'
import { operations } from '../../contract/operations.js'
import { cacheBuster, type OperationName } from '../../contract/parameter.js'
import { makeRelative } from '../base-paths.js'
import { formatAnswer } from '../service/answers.js'
import type { OperationTarget, ReceivedRequest, ServiceRequest, ServiceResponse } from '../service/request.js'
import { parseBody, parseQuery, readBytes } from './read-body.js'

/** A request before it is parsed; without bytes if it was larger than the limit. */
export interface RawRequest {
  readonly method?: string | undefined
  /** Path and query. */
  readonly url?: string | undefined
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly bytes: Uint8Array | undefined
}

/** Reads a whole request; without a base path it belongs to no site. Rejects only if the sender disconnects. */
export async function receive(
  incoming: IncomingMessage,
  basePath: string | undefined,
): Promise<ReceivedRequest> {
  const { method, url, headers } = incoming
  return parseRequest({ method, url, headers, bytes: await readBytes(incoming) }, basePath)
}

/** Parses a request that was read. Never rejects. */
export async function parseRequest(raw: RawRequest, basePath: string | undefined): Promise<ReceivedRequest> {
  const { method = '', url = '', headers, bytes } = raw
  const contentType = readHeader(headers['content-type'])
  const [whole = '', ...queries] = url.split('?')
  const path = basePath !== undefined && whole.startsWith(basePath) ? whole.slice(basePath.length) : whole
  const body = await parseBody(contentType, bytes)
  const query = parseQuery(queries.join('?')).filter(({ name }) => name !== cacheBuster)
  const bearer = /^bearer +(\S+)$/i.exec(readHeader(headers['authorization']))?.[1]
  const request = {
    method,
    query,
    body,
    ...locateRequest(basePath, whole),
    ...(bearer !== undefined && { bearer }),
  }
  return { request, path, contentType }
}

/** Returns the text of a header, or `''`. Node joins repeated headers, or keeps the first. */
function readHeader(header: string | readonly string[] | undefined): string {
  return typeof header === 'string' ? header : ''
}

function locateRequest(basePath: string | undefined, whole: string): Pick<ServiceRequest, 'target' | 'path'> {
  if (basePath === undefined) return { target: { operation: 'unknown' } }
  const path = makeRelative(basePath, whole)
  return { target: parseTarget(path), path }
}

export function sendResponse(outgoing: ServerResponse, response: ServiceResponse): void {
  const body = Buffer.from(formatAnswer(response))
  outgoing.writeHead(response.httpStatus, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
  })
  outgoing.end(body)
}

type FixedOperation = Exclude<OperationName, 'deleteAll'>

const fixedPaths = new Map(
  (Object.keys(operations) as OperationName[])
    .filter((name): name is FixedOperation => name !== 'deleteAll')
    .map(name => [operations[name].path as string, name]),
)

const [beforeService = '', afterService = ''] = operations.deleteAll.path.split('{service}')

/** Finds the operation of a path below the base path. Service §4. */
export function parseTarget(path: string): OperationTarget {
  const operation = fixedPaths.get(path === '/' ? '' : path)
  if (operation !== undefined) return { operation }
  const service = parseService(path)
  return service === undefined ? { operation: 'unknown' } : { operation: 'deleteAll', service }
}

function parseService(path: string): string | undefined {
  if (!path.startsWith(beforeService) || !path.endsWith(afterService)) return undefined
  const segment = path.slice(beforeService.length, -afterService.length)
  if (segment === '' || segment.includes('/')) return undefined
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}
