import { tool } from '../../../src/version.js'
import { type Answer, ask, type Question, readElement } from '../real/ask.js'

/** A server that gets the requests: a real one, or the double. */
export interface AskedContainer {
  readonly url: string
  readonly account: string
  readonly container: string
  readonly token: string
  /** An expired token. */
  readonly formerToken: string
  /** A token for another service. */
  readonly foreignToken: string
  readonly ca?: string
}

const prefix = 'sites/production'
const folder = 'gis.example.org-0123456789ab'
const name = (serial: number) => `${prefix}/${folder}/00000${serial}.json`

/** Sends a request as the client of Landform does. */
export function askContainer(
  { url, account, container, token, ca }: AskedContainer,
  path: string,
  { headers, ...question }: Question = {},
): Promise<Answer> {
  const own = { authorization: `Bearer ${token}`, 'x-ms-version': '2019-12-12', 'user-agent': tool }
  return ask(`${url}/${account}/${container}${path}`, {
    ...question,
    headers: { ...own, ...headers },
    ...(ca && { ca }),
  })
}

/** Creates a version, as Landform does. */
function putBlob(container: AskedContainer, serial: number, body = `{"n":${serial}}`): Promise<Answer> {
  const headers = {
    'if-none-match': '*',
    'x-ms-blob-type': 'BlockBlob',
    'x-ms-meta-landformrun': 'run-1',
    'content-type': 'application/json',
  }
  return askContainer(container, `/${name(serial)}`, { method: 'PUT', headers, body })
}

/** Lists the versions of the site as Landform does; `more` adds parameters. */
function listBlobs(container: AskedContainer, more = ''): Promise<Answer> {
  const below = encodeURIComponent(`${prefix}/${folder}/`)
  return askContainer(container, `?restype=container&comp=list&prefix=${below}${more}`)
}

/** Requests that every server can answer, in this order, starting with an empty container. */
export const azureQuestions: Readonly<Record<string, (container: AskedContainer) => Promise<Answer>>> = {
  'an empty listing': container => listBlobs(container),
  'a missing version': container => askContainer(container, `/${name(1)}`),
  'a new version': container => putBlob(container, 1),
  'a version that exists': container => putBlob(container, 1),
  'a version': container => askContainer(container, `/${name(1)}`),
  'a listing': container => listBlobs(container),
  async 'the first page of a listing'(container) {
    await putBlob(container, 2)
    return listBlobs(container, '&maxresults=1')
  },
  async 'the last page of a listing'(container) {
    const { body } = await listBlobs(container, '&maxresults=1')
    const page = encodeURIComponent(readElement(body, 'NextMarker'))
    return listBlobs(container, `&maxresults=1&marker=${page}`)
  },
  'a token that has ended': container => listBlobs({ ...container, token: container.formerToken }),
  'a token for another service': container => listBlobs({ ...container, token: container.foreignToken }),
  'a text that is no token': container => listBlobs({ ...container, token: 'none' }),
  'no token': container => askContainer(container, `/${name(1)}`, { headers: { authorization: '' } }),
  'a listing of a container that does not exist': container =>
    listBlobs({ ...container, container: 'missing' }),
  'a version in a container that does not exist': container =>
    askContainer({ ...container, container: 'missing' }, `/${name(1)}`),
  'a new version in a container that does not exist': container =>
    putBlob({ ...container, container: 'missing' }, 1),
  'a listing of an account that does not exist': container => listBlobs({ ...container, account: 'nobody' }),
}
