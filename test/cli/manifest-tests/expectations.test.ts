import { join } from 'node:path'
import { run } from '../../../src/cli/run.js'
import { quickstartFolder } from '../../support/example-copy.js'
import { fakeHost } from '../../support/fake-host.js'
import { tested } from '../../support/tested.js'

const create =
  '[{ operation: configure, change: create, reason: not-configured }, { operation: update, change: update }]'
const small = 'with: { spec: { volumes: { BLOB: { size: 1Gi } } } }'
const wrong = 'with: { spec: { profile: none } }'

/** For each kind of expectation, one that the quickstart example meets, and one that it does not meet. */
const table = [
  ['diagnostics', '', 'diagnostics: []', 'diagnostics: [{ code: volume/size-small }]'],
  [
    'a place',
    small,
    'diagnostics: [{ code: volume/size-small, at: spec.volumes.BLOB.size }]',
    'diagnostics: [{ code: volume/size-small, at: spec.volumes.BLOB }]',
  ],
  [
    'a severity',
    small,
    'diagnostics: [{ code: volume/size-small, severity: warning }]',
    'diagnostics: [{ code: volume/size-small, severity: error }]',
  ],
  ['one diagnostic too many', small, 'diagnostics: [{ code: volume/size-small }]', 'diagnostics: []'],
  ['policies', '', 'policy: []', 'policy: [none]'],
  ['a plan', '', `plan: { actions: ${create} }`, 'plan: { actions: [{ operation: configure }] }'],
  [
    'a reason',
    '',
    'plan: { actions: [{ operation: configure, reason: not-configured }, { operation: update }] }',
    'plan: { actions: [{ operation: configure, reason: rejected-before }, { operation: update }] }',
  ],
  [
    'a blocker',
    'site: { configured: true, faults: ["site=state:paused"] }',
    'plan: { obstacle: site-unrecognized }',
    'plan: { obstacle: site-failed }',
  ],
  [
    'requests',
    '',
    'requests: [{ operation: configure, accepted: true }, { operation: update }]',
    'requests: [{ operation: configure }]',
  ],
  [
    'a parameter',
    '',
    'requests: [{ operation: configure, parameters: { email: admin@example.org } }, { operation: update }]',
    'requests: [{ operation: configure, parameters: { email: eve@example.org } }, { operation: update }]',
  ],
  [
    'a secret, which is redacted',
    '',
    'requests: [{ operation: configure, parameters: { password: (secret) } }, { operation: update }]',
    'requests: [{ operation: configure, parameters: { password: hunter2 } }, { operation: update }]',
  ],
  ['an outcome', '', 'outcome: done', 'outcome: in-progress'],
  ['an exit code', '', 'exitCode: 0', 'exitCode: 3'],
  ['an exit code for an invalid manifest', wrong, 'exitCode: 65', 'exitCode: 0'],
  ['the number of configure requests', '', 'configured: 1', 'configured: 2'],
  ['events', '', 'events: [configure-accepted, site-ready]', 'events: [site-ready, configure-accepted]'],
  ['time', 'site: { stageTimes: [1m] }', 'within: 20m', 'within: 10m'],
] as const

describe.each(table)('the expectation of %s', (_what, setting, right, not) => {
  const one = (name: string, expected: string) =>
    [`name: ${name}`, ...(setting === '' ? [] : [setting]), `expect: { ${expected} }`].join('\n')

  test('passes if it is met', async () => {
    expect(await tested([one('it is so', right)])).toMatchObject({ exitCode: 0 })
  })

  test('fails if it is not met', async () => {
    const { exitCode, text } = await tested([one('it is not so', not)])
    expect(exitCode).toBe(2)
    expect(text).toContain('test/failed')
  })
})

describe('under faults', () => {
  test.each([
    [
      'a store that stalls',
      'site: { faults: ["site@Relational store=stall:30m"] }\napply: { timeout: 20m }\nexpect: { exitCode: 3, configured: 1, events: [stage-stalled] }\nnext: [{ expect: { exitCode: 0, configured: 1 } }]',
    ],
    ['a lost response', 'site: { scenario: drop-after-accept }\nexpect: { exitCode: 0, configured: 1 }'],
    [
      'a stage that fails',
      'site: { scenario: stage-fails }\nexpect: { exitCode: 5 }\nnext: [{ expect: { plan: { obstacle: site-failed }, exitCode: 5 } }]',
    ],
    [
      'a site that never becomes ready',
      'site: { scenario: stuck }\nexpect: { exitCode: 3, outcome: in-progress }',
    ],
    [
      'a detached run',
      'apply: { detach: true }\nsite: { stageTimes: [1m] }\nexpect: { exitCode: 3 }\nnext: [{ after: 1h, expect: { exitCode: 0, configured: 1 } }]',
    ],
    [
      'a request that is held',
      'site: { faults: ["configure=delay:20m"] }\nexpect: { exitCode: 4, configured: 0 }\nnext: [{ after: 10m, expect: { exitCode: 0, configured: 1 } }]',
    ],
    [
      'a change of the policy',
      'expect: { exitCode: 0 }\nnext:\n  - with: { spec: { upgrade: { podPlacementPolicy: { nodeAffinity: null } } } }\n    expect: { exitCode: 0, configured: 1, requests: [{ operation: update }] }',
    ],
    [
      'an edit of an immutable field',
      'expect: { exitCode: 0 }\nnext:\n  - with: { spec: { logLevel: FINE } }\n    expect: { plan: { immutable: [spec.logLevel] }, exitCode: 6, requests: [] }',
    ],
  ])('%s ends as it does on a site', async (name, lines) => {
    const { exitCode, text } = await tested([`name: ${name}\n${lines}`])
    expect(text).toContain('1 passed, 0 failed')
    expect(exitCode).toBe(0)
  })
})

describe('a failed expectation has a reason', () => {
  test.each([
    [
      `${wrong}\nexpect: { exitCode: 0 }`,
      'expected `exitCode` 0, got 65 (the manifest is not valid: manifest/value-not-allowed at spec.profile)',
    ],
    [
      `${wrong}\nexpect: { outcome: done }`,
      'the run did not reach `outcome` (the manifest is not valid: manifest/value-not-allowed at spec.profile)',
    ],
    ['with: { spec: { profile: 1, logLevel: 1, folders: 1 } }\nexpect: { exitCode: 0 }', ', and 1 more'],
    [
      'site: { scenario: stage-fails }\nexpect: { exitCode: 3 }',
      'expected `exitCode` 3, got 5 (outcome: site-failed)',
    ],
    [
      'site: { configured: true, faults: ["site=state:paused"] }\nexpect: { exitCode: 0 }',
      'expected `exitCode` 0, got 4 (the plan is blocked: site-unrecognized)',
    ],
  ])('%j: %s', async (lines, words) => {
    const { text } = await tested([`name: it is so\n${lines}`])
    expect(text).toContain(words)
  })
})

test.each(['text', 'json', 'junit', 'github'])(
  'text in place of a secret is not shown as %s, whether it was sent or not',
  async format => {
    const requests = 'requests: [{ operation: configure, parameters: { password: hunter2 } }]'
    const { exitCode, text } = await tested(
      [`name: it is sent\nexpect: { ${requests} }`, `name: it is not\n${wrong}\nexpect: { ${requests} }`],
      '--format',
      format,
    )
    expect(exitCode).toBe(2)
    expect(text).not.toContain('hunter2')
  },
)

describe('for an unusable test file, the message has the correct form', () => {
  const head = 'apiVersion: landform.dev/v1\nkind: SiteTest\nmanifest: site.yaml\n'
  const one = (expectation: string) => `${head}tests:\n  - name: a\n    expect: { ${expectation} }\n`

  test.each([
    ['nothing', '', 'the file is empty; a test file must be a map with fields such as `tests`'],
    ['no tests', `${head}tests: []\n`, '`tests` must not be empty'],
    ['an unknown event', one('events: [stage-staled]'), 'did you mean `stage-stalled`?'],
    ['an unknown outcome', one('outcome: dune'), 'did you mean `done`?'],
    ['text instead of a number', one('exitCode: "0"'), '`exitCode` must be a whole number'],
    [
      'a missing manifest',
      one('exitCode: 0').replace('site.', 'none.'),
      '`manifest` is a path from this folder',
    ],
  ])('%s', async (_what, content, words) => {
    const folder = await quickstartFolder({ 'wrong.test.yaml': content })
    const host = fakeHost()
    expect(await run(['test', join(folder, 'wrong.test.yaml')], host)).toBe(65)
    expect(host.screen()).toContain(words)
  })
})
