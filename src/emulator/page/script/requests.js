import { byId, element, say } from '../../../../packages/page/script/element.js'
import { time } from '../../../../packages/page/script/words.js'
import { formatted, size } from './words.js'

const shownAtMost = 200
const log = byId('log')
let newest

/** Empties the list, for another site or after a gap. */
export function clearRequests() {
  newest = undefined
  log.replaceChildren()
  byId('none').hidden = false
}

/** Adds a request on top. Equal polls share one line, unless every poll is to be shown. */
export function showRequest(request) {
  byId('none').hidden = true
  if (!byId('polls').checked && newest !== undefined && isAlike(request, newest.request)) {
    newest.times += 1
    say(newest.count, ` × ${newest.times}`)
    say(newest.time, time(request.at))
    return
  }
  newest = rowOf(request)
  log.prepend(newest.row)
  while (log.children.length > shownAtMost) log.lastElementChild.remove()
}

const isAlike = (one, other) =>
  one.operation === 'root' &&
  ['operation', 'site', 'method', 'accepted', 'httpStatus', 'fault', 'problem'].every(
    name => one[name] === other[name],
  )

function rowOf(request) {
  const { at, method, path, operation, httpStatus, accepted, fault, problem } = request
  const when = element('time', '', time(at))
  const count = element('span', 'faint')
  const name = element('code', '', `${method} ${operation === 'unknown' ? path : operation}`)
  const what = element('span', '', name, count)
  const unseen = fault !== undefined && problem === undefined
  const answer = element('span', 'answer', accepted ? 'accepted' : unseen ? 'lost' : 'refused')
  answer.append(element('span', 'faint', ` ${httpStatus ?? 'no answer'}`))
  const summary = element('summary', '', when, what, answer)
  if (fault !== undefined) summary.append(element('span', 'problem', `met the fault ${fault}`))
  if (problem !== undefined) summary.append(element('span', 'problem', problem))
  const details = element('details', accepted ? '' : 'refused', summary)
  // Most requests are never opened.
  details.addEventListener('toggle', () => details.append(partsOf(request)), { once: true })
  return { request, times: 1, row: element('li', '', details), count, time: when }
}

function partsOf({ path, contentType, parameters, more }) {
  const list = element('dl')
  const add = (name, value) => list.append(element('dt', '', name), element('dd', '', value))
  add('path', element('code', '', path || '(the base URL)'))
  if (contentType !== '') add('body', element('code', '', contentType))
  for (const parameter of parameters) add(element('code', '', parameter.name), shownValue(parameter))
  if (more > 0) add('…', `${more} more`)
  return list
}

function shownValue({ kind, value, why, fileName, contentType, bytes }) {
  if (kind === 'hidden') return element('span', 'faint', `[${why}, ${size(bytes)}]`)
  if (kind === 'file') return `${fileName}, ${size(bytes)}, ${contentType}`
  return element('pre', '', typeof value === 'string' ? value : formatted(value))
}
