import type { AnswerShape, Evidence } from '../evidence/evidence.js'
import { isObject, type JsonValue } from '../schema/json-schema.js'
import { display } from './display.js'

/** Formats observations for people, with those that failed. */
export function formatEvidence({ observations }: Evidence): string {
  const rows = observations.map(({ resource, store, signedIn, answer }) => {
    const path = resource === '' ? '/' : resource.replace('{store}', `{store ${store}}`)
    return { path, token: signedIn ? 'with token' : 'no token', what: describeAnswer(answer) }
  })
  const width = Math.max(...rows.map(({ path }) => path.length))
  const lines = rows.map(({ path, token, what }) => `${path.padEnd(width)}  ${token.padEnd(10)}  ${what}`)
  return `${lines.join('\n')}\n`
}

function describeAnswer(answer: AnswerShape): string {
  switch (answer.kind) {
    case 'none':
      return 'no answer'
    case 'json':
      return `${answer.status} JSON${describeBody(answer.body)}`
    case 'redirect':
      return `${answer.status} redirect, ${answer.to}`
    default:
      return `${answer.status} ${answer.kind}`
  }
}

function describeBody(body: JsonValue): string {
  const read = (name: string, field: string) => {
    const part = isObject(body) ? body[name] : undefined
    const value = isObject(part) ? part[field] : undefined
    return value === undefined ? '' : String(value)
  }
  const [code, state] = [read('error', 'code'), read('status', 'state')]
  return `${code === '' ? '' : `, error ${display(code)}`}${state === '' ? '' : `, ${display(state)}`}`
}
