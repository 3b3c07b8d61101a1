import { byId, element, say } from '../../../../packages/page/script/element.js'
import { time } from '../../../../packages/page/script/words.js'
import type { RecordedParameter, RecordedRequest } from '../../log/request-log.js'
import type { Json } from '../../service/json.js'

interface Row {
  readonly request: RecordedRequest
  times: number
  readonly row: HTMLElement
  readonly count: HTMLElement
  readonly time: HTMLElement
}

const maxRows = 200
const log = byId('log')
let newest: Row | undefined
let lastId = 0

export function clearRequests(): void {
  newest = undefined
  lastId = 0
  log.replaceChildren()
  byId('none').hidden = false
}

/** Adds new requests at the top; `requests` has the newest first. */
export function showRequests(requests: readonly RecordedRequest[]): void {
  for (const request of requests.filter(({ id }) => id > lastId).reverse()) showRequest(request)
  lastId = requests[0]?.id ?? lastId
}

/** Shows a request. Equal polls in sequence share one row, unless every poll is to be shown. */
function showRequest(request: RecordedRequest): void {
  byId('none').hidden = true
  if (!byId('polls', HTMLInputElement).checked && newest !== undefined && isAlike(request, newest.request)) {
    newest.times += 1
    say(newest.count, ` × ${newest.times}`)
    say(newest.time, time(request.at))
    return
  }
  newest = rowOf(request)
  log.prepend(newest.row)
  while (log.children.length > maxRows) log.lastElementChild?.remove()
}

const compared = ['operation', 'site', 'method', 'accepted', 'httpStatus', 'fault', 'problem'] as const

const isAlike = (one: RecordedRequest, other: RecordedRequest) =>
  one.operation === 'root' && compared.every(name => one[name] === other[name])

function rowOf(request: RecordedRequest): Row {
  const { at, method, path, operation, httpStatus, fault, problem } = request
  const when = element('time', '', time(at))
  const count = element('span', 'faint')
  const name = element('code', '', `${method} `, ...(operation === 'unknown' ? breakable(path) : [operation]))
  const what = element('span', '', name, count)
  const end = endOf(request)
  const answer = element('span', 'answer', end)
  answer.append(element('span', 'faint', ` ${httpStatus ?? 'no answer'}`))
  const summary = element('summary', '', when, what, answer)
  if (fault !== undefined) summary.append(element('span', 'problem', `met the fault ${fault}`))
  if (problem !== undefined) summary.append(element('span', 'problem', problem))
  if (path.endsWith('/validateLicense'))
    summary.append(
      element('span', 'note', 'asks about the license before configure; not every site responds'),
    )
  const details = element('details', classes[end], summary)
  // Most requests are never opened.
  details.addEventListener('toggle', () => details.append(partsOf(request)), { once: true })
  return { request, times: 1, row: element('li', '', details), count, time: when }
}

/** The possible results of a request, each with the class of its row. */
const classes = { accepted: '', lost: 'refused', refused: 'refused', 'not found': 'absent' } as const

/** Returns the result of a request. `not found` is no failure: some services lack resources that Landform requests. */
function endOf({ operation, httpStatus, accepted, fault, problem }: RecordedRequest): keyof typeof classes {
  if (accepted) return 'accepted'
  if (fault !== undefined && problem === undefined) return 'lost'
  return operation === 'unknown' && httpStatus === 404 && fault === undefined ? 'not found' : 'refused'
}

/** Lets a long path wrap after its slashes. */
function breakable(path: string): readonly (Node | string)[] {
  return path.split(/(?<=\/)/).flatMap((part, at) => (at === 0 ? [part] : [element('wbr'), part]))
}

function partsOf({ path, contentType, parameters, more }: RecordedRequest): HTMLElement {
  const list = element('dl')
  const add = (name: Node | string, value: Node | string) =>
    list.append(element('dt', '', name), element('dd', '', value))
  add('path', element('code', '', path || '(the base URL)'))
  if (contentType !== '') add('body', element('code', '', contentType))
  for (const parameter of parameters) add(element('code', '', parameter.name), shownValue(parameter))
  if (more > 0) add('…', `${more} more`)
  return list
}

function shownValue(parameter: RecordedParameter): Node | string {
  const bytes = size(parameter.bytes)
  if (parameter.kind === 'hidden') return element('span', 'faint', `[${parameter.why}, ${bytes}]`)
  if (parameter.kind === 'file') return `${parameter.fileName}, ${bytes}, ${parameter.contentType}`
  const { value } = parameter
  return element('pre', '', typeof value === 'string' ? value : formatted(value))
}

/** Formats a size, such as `3.0 kB`. */
function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`
  return bytes < 1e6 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
}

/** Formats JSON with short parts on one line. */
function formatted(value: Json, indent = '', before = ''): string {
  const line = JSON.stringify(value, null, 1).replaceAll(/\n\s*/g, ' ')
  const fits = indent.length + before.length + line.length <= 56
  if (typeof value !== 'object' || value === null || fits) return before + line
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  const members = Object.entries(value).map(([name, member]) =>
    formatted(member, `${indent}  `, open === '{' ? `${JSON.stringify(name)}: ` : ''),
  )
  return `${before}${open}\n${members.map(text => `${indent}  ${text}`).join(',\n')}\n${indent}${close}`
}
