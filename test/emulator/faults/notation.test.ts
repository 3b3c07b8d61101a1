import {
  type Fault,
  type FaultCondition,
  type FaultRule,
  isCarriedOut,
  type SiteFault,
} from '../../../src/emulator/faults/fault.js'
import { parseBuiltInRules, parseRule } from '../../../src/emulator/faults/notation.js'
import { requestWords } from '../../../src/emulator/faults/request-words.js'
import { siteWords } from '../../../src/emulator/faults/site-words.js'

const every: FaultCondition = { calls: { kind: 'every' } }

/** The text of each fault, the fault, and whether the service receives the request. */
const faults: readonly (readonly [string, Fault, boolean])[] = [
  ['delay:200ms', { kind: 'delay', point: 'before', ms: 200 }, true],
  ['delay-after:3h', { kind: 'delay', point: 'after', ms: 10_800_000 }, true],
  ['drop-before', { kind: 'drop', point: 'before' }, false],
  ['drop-after', { kind: 'drop', point: 'after' }, true],
  ['reset-before', { kind: 'reset', point: 'before' }, false],
  ['reset-after', { kind: 'reset', point: 'after' }, true],
  ['hang-before', { kind: 'hang', point: 'before' }, false],
  ['hang-after', { kind: 'hang', point: 'after' }, true],
  ['html', { kind: 'html', point: 'before', httpStatus: 200 }, false],
  ['html-after:504', { kind: 'html', point: 'after', httpStatus: 504 }, true],
  ['status:503', { kind: 'status', point: 'before', httpStatus: 503, body: 'page' }, false],
  ['status:503,json', { kind: 'status', point: 'before', httpStatus: 503, body: 'json' }, false],
  [
    'status-after:429,retry-after:7,empty',
    { kind: 'status', point: 'after', httpStatus: 429, retryAfter: 7, body: 'empty' },
    true,
  ],
  ['error:498', { kind: 'error', point: 'before', code: 498, message: 'The request failed.' }, false],
  [
    'error-after:500,message:a, b: c=d',
    { kind: 'error', point: 'after', code: 500, message: 'a, b: c=d' },
    true,
  ],
  ['redirect:302', { kind: 'redirect', point: 'before', httpStatus: 302, location: '/login' }, false],
  [
    'redirect-after:308,location:http://127.0.0.1:1/x',
    { kind: 'redirect', point: 'after', httpStatus: 308, location: 'http://127.0.0.1:1/x' },
    true,
  ],
  ['duplicate-first', { kind: 'duplicate', answer: 'first' }, true],
  ['duplicate-second', { kind: 'duplicate', answer: 'second' }, true],
  ['truncate:0', { kind: 'truncate', bytes: 0 }, true],
  ['slow:1KiB', { kind: 'slow', bytesPerSecond: 1024 }, true],
  ['length:+10', { kind: 'length', by: 10 }, true],
  ['length:-10', { kind: 'length', by: -10 }, true],
  ['garbage', { kind: 'garbage' }, true],
  ['wrong-shape', { kind: 'wrong-shape' }, true],
  ['huge:2MiB', { kind: 'huge', bytes: 2_097_152 }, true],
  ['interim:3', { kind: 'interim', count: 3, everyMs: 0 }, true],
  ['interim:3,every:5ms', { kind: 'interim', count: 3, everyMs: 5 }, true],
]

test.each(faults)(
  '%s is a fault of a request, and shows whether the request is carried out',
  (text, fault, carriedOut) => {
    expect(read(`root=${text}`)).toEqual({ on: 'root', when: every, fault, word: `root=${text}` })
    expect(isCarriedOut(fault)).toBe(carriedOut)
  },
)

const siteFaults: readonly (readonly [string, SiteFault])[] = [
  ['back:queue store', { kind: 'back', to: 'Queue store', afterMs: 0 }],
  ['back:Queue store,after:2s', { kind: 'back', to: 'Queue store', afterMs: 2000 }],
  ['forget', { kind: 'forget' }],
  ['replace', { kind: 'replace' }],
  ['replace,version:10.9,build:77', { kind: 'replace', version: '10.9', build: '77' }],
  ['upgrade,version:11.5', { kind: 'upgrade', version: '11.5' }],
  ['upgrade,version:11.5,build:6215', { kind: 'upgrade', version: '11.5', build: '6215' }],
  ['state:paused, for now', { kind: 'state', text: 'paused, for now' }],
  ['message:', { kind: 'message', text: '' }],
  ['message:a\u001b[2J\nb', { kind: 'message', text: 'a\u001b[2J\nb' }],
  ['rename:Queue store,to:A, B', { kind: 'rename', stage: 'Queue store', to: 'A, B' }],
  ['hide:Object store', { kind: 'hide', stage: 'Object store' }],
  ['repeat:Object store', { kind: 'repeat', stage: 'Object store' }],
  ['stages:3', { kind: 'stages', count: 3 }],
  ['warnings:1000000', { kind: 'warnings', count: 1_000_000 }],
  ['skew:-5m', { kind: 'skew', ms: -300_000 }],
]

test.each(siteFaults)('%s is a fault of the site', (text, fault) => {
  expect(read(`site=${text}`)).toMatchObject({ on: 'site', when: every, fault })
})

test.each([
  ['site@Queue store=stall', { kind: 'stall' }],
  ['site@Queue store=stall:10m', { kind: 'stall', ms: 600_000 }],
  ['site@Queue store=fail', { kind: 'fail', message: 'A stage failed.' }],
  ['site@Queue store=fail:no disk, no store', { kind: 'fail', message: 'no disk, no store' }],
])('%s applies to the stage that it names', (text, fault) => {
  expect(read(text)).toMatchObject({ when: { ...every, from: 'Queue store' }, fault })
})

test('these tables have every kind of fault', () => {
  const kinds = new Set(faults.map(([, { kind }]) => kind))
  expect(kinds).toEqual(new Set(Object.keys(requestWords)))
  const ofSite = new Set([...siteFaults.map(([, { kind }]) => kind), 'stall', 'fail'])
  expect(ofSite).toEqual(new Set(Object.keys(siteWords)))
})

test.each<readonly [string, FaultCondition]>([
  ['', every],
  ['@every', every],
  ['@3', { calls: { kind: 'range', first: 3, last: 3 } }],
  ['@2-4', { calls: { kind: 'range', first: 2, last: 4 } }],
  ['@5-', { calls: { kind: 'range', first: 5 } }],
  ['@12.5%', { calls: { kind: 'chance', share: 0.125 } }],
  ['@Object Store', { ...every, from: 'Object store' }],
  ['@ready', { ...every, from: 'ready' }],
  ['@90s', { ...every, from: 90_000 }],
  ['@Object store+1m@30%', { calls: { kind: 'chance', share: 0.3 }, from: 'Object store', forMs: 60_000 }],
])('any%s=garbage applies when it should', (text, when) => {
  expect(read(`any${text}=garbage`)).toMatchObject({ on: 'any', when })
})

describe('an invalid rule is rejected with the wrong word', () => {
  test.each([
    ['configure', 'it does not have the form WHERE[@WHEN]=WHAT'],
    ['rot=garbage', '`rot` is not an operation'],
    ['root=garbagee', '`garbagee` is not a fault that is allowed here'],
    ['root=stall', '`stall` is not a fault that is allowed here'],
    ['site@1=drop-after', '`drop-after` is not a fault that is allowed here'],
    ['root=', 'it does not have the form WHERE[@WHEN]=WHAT'],
    ['=garbage', 'it does not have the form WHERE[@WHEN]=WHAT'],
    ['root@101%=garbage', '`101%` is neither calls such as'],
    ['root@1@2=garbage', '`@2` is a second condition on calls'],
    ['root@1s@ready=garbage', '`@ready` is a second place'],
    ['configure=drop', '`drop` does not have the form drop-before or drop-after'],
    ['root=status:200', '`status:200` does not have the form status[-after]:STATUS'],
    ['root=delay:soon', '`delay:soon` does not have the form delay[-after]:TIME'],
    ['root=redirect:302,location:https://evil.example/', 'a path or an address on this machine'],
    ['root=redirect:302,location://evil.example/', 'a path or an address on this machine'],
    ['root=redirect:302,location:/\\evil.example/', 'a path or an address on this machine'],
    ['root=redirect:302,location:javascript:alert(1)', 'a path or an address on this machine'],
    ['root=redirect:302,location:/a\r\nset-cookie:b', 'a path or an address on this machine'],
    ['root=redirect:304', 'does not have the form redirect'],
    ['root@0=garbage', '`0` is neither calls such as'],
    ['root@4-2=garbage', '`4-2` is neither calls such as'],
    ['root@Queu store=garbage', '`Queu store` is neither calls such as'],
    ['site=stall', 'it must name a stage, such as site@Queue store=stall'],
    ['site@ready=fail', 'it must name a stage'],
    ['site@Queue store@3=stall', 'stall takes a place only'],
    ['site@ready+1m=back:Queue store', 'back takes a place only'],
    ['site=hide:Queu', '`hide:Queu` does not have the form hide:STAGE'],
    ['site=replace,version:x', 'does not have the form replace'],
  ])('%j', (text, problem) => {
    expect(parseRule(text)).toMatchObject({ ok: false, error: { problem: expect.stringContaining(problem) } })
  })

  test('the message names the valid words, so that a typing mistake can be corrected', () => {
    expect(parseRule('rot=garbage')).toMatchObject({
      error: { near: { written: 'rot', choices: expect.arrayContaining(['root']) } },
    })
    expect(parseRule('root=garbge')).toMatchObject({
      error: { near: { choices: Object.keys(requestWords) } },
    })
    expect(parseRule('site=forgot')).toMatchObject({ error: { near: { choices: Object.keys(siteWords) } } })
  })

  test('and a program with an invalid rule does not start', () => {
    expect(() => parseBuiltInRules(['root=nothing'])).toThrow(
      'root=nothing: `nothing` is not a fault that is allowed here',
    )
  })
})

function read(text: string): FaultRule {
  const [rule] = parseBuiltInRules([text])
  if (rule === undefined) throw new Error('no rule')
  return rule
}
