import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { virtualClock } from '../../../src/cli/manifest-tests/rehearsed-site.js'
import { runTests } from '../../../src/cli/manifest-tests/run-tests.js'
import { watchTests } from '../../../src/cli/manifest-tests/watch-tests.js'
import { run } from '../../../src/cli/run.js'
import { policyFinder, policyReader } from '../../../src/library/policies.js'
import { quickstartFolder } from '../../support/example-copy.js'
import { fakeHost } from '../../support/fake-host.js'
import { parsedXml } from '../../support/parsed-xml.js'
import { listSchemaErrors } from '../../support/schema-errors.js'
import { tested, testFile } from '../../support/tested.js'

const holds = 'name: it holds\nexpect: { diagnostics: [] }'
const fails = 'name: it ends <otherwise>\nexpect: { exitCode: 3 }'

test('text shows the expected and the actual result, at the line of the file', async () => {
  const { text } = await tested([holds, fails], '-v')
  expect(text).toBe(`FAIL  site.test.yaml  2 tests
      ok    it holds
      FAIL  it ends <otherwise>

site.test.yaml:7:15  error  \`it ends <otherwise>\`: expected \`exitCode\` 3, got 0 (outcome: done)  test/failed
  5 |     expect: { diagnostics: [] }
  6 |   - name: it ends <otherwise>
> 7 |     expect: { exitCode: 3 }
    |               ^^^^^^^^
  8 |
    - 3
    + 0

1 file, 2 tests: 1 passed, 1 failed
`)
})

test('JSON matches its schema and has every test', async () => {
  const { text } = await tested([holds, fails], '--format', 'json')
  const document = JSON.parse(text) as { readonly files: readonly object[]; readonly summary: object }
  expect(listSchemaErrors('test-report', document)).toEqual([])
  expect(document.summary).toEqual({ files: 1, tests: 2, passed: 1, failed: 1 })
})

test('JUnit has a test for each test, and one for a file that cannot be run', async () => {
  const { text } = await tested([holds, fails], '--format', 'junit')
  const { name, attributes, children } = parsedXml(text)
  expect([name, attributes]).toEqual([
    'testsuites',
    { name: 'landform', tests: '2', failures: '1', errors: '0' },
  ])
  const cases = children.flatMap(suite => suite.children)
  expect(cases.map(one => [one.attributes['name'], one.children.map(inside => inside.name)])).toEqual([
    ['it holds', []],
    ['it ends <otherwise>', ['failure']],
  ])
  const broken = await tested(['name: it holds'], '--format', 'junit')
  expect(broken.text).toContain('tests="1" failures="1"')
  expect(broken.exitCode).toBe(65)
})

test('CI systems get file names relative to the working folder', async () => {
  const { folder, host } = await tested([fails], '--format', 'junit')
  const [suite] = parsedXml(host.out()).children
  const file = relative('', join(folder, 'site.test.yaml'))
  expect(suite?.attributes['name']).toBe(file)
  expect(suite?.children[0]?.children[0]?.text).toContain(`${file}:`)
})

test('GitHub gets the line of the test that fails', async () => {
  const { text } = await tested([holds, fails], '--format', 'github')
  expect(text).toMatch(/^::error file=\S*site\.test\.yaml,line=7,/)
})

test('no report contains a secret from a file of the manifest', async () => {
  const secret = 'Xk93-never-shown'
  const folder = await quickstartFolder({
    'secrets/password': secret,
    'site.test.yaml': testFile(
      'name: a password from a file\nwith: { spec: { administrator: { password: { file: secrets/password } } } }\nexpect: { requests: [{ operation: configure, parameters: { password: Guess1 } }] }',
    ),
  })
  for (const format of ['text', 'json', 'junit', 'github']) {
    const host = fakeHost()
    expect(await run(['test', join(folder, 'site.test.yaml'), '--format', format], host)).toBe(2)
    expect(host.screen()).not.toContain(secret)
  }
})

describe('a test that cannot be run', () => {
  test.each([
    ['a misspelt field', testFile('name: x\nexpects: { exitCode: 0 }'), 65, 'test/field'],
    ['an empty expectation', testFile('name: x\nexpect: {}'), 65, 'test/value'],
    ['a missing manifest', `manifest: none.yaml\n${testFile(holds)}`, 65, '`none.yaml` does not exist'],
    [
      'a manifest outside the repository',
      `manifest: ../../../../etc/passwd\n${testFile(holds)}`,
      65,
      'is outside the repository',
    ],
    [
      'an unknown scenario',
      testFile('name: x\nsite: { scenario: stuk }\nexpect: { exitCode: 0 }'),
      65,
      'did you mean `stuck`?',
    ],
    [
      'an unknown fault',
      testFile('name: x\nsite: { faults: [configure=htlm] }\nexpect: { exitCode: 0 }'),
      65,
      'scenario/value',
    ],
  ])('%s is reported at its position', async (_what, text, exitCode, words) => {
    const folder = await quickstartFolder({ 'site.test.yaml': text })
    const host = fakeHost()
    expect(await run(['test', join(folder, 'site.test.yaml')], host)).toBe(exitCode)
    expect(host.screen()).toContain(words)
  })

  test('a mistake in the changes of a test is reported in the test file', async () => {
    const { text, exitCode } = await tested([
      'name: a profile\nwith:\n  spec:\n    profile: none\nexpect: { plan: { actions: [] } }',
    ])
    expect(exitCode).toBe(2)
    expect(text).toContain('the manifest is not valid')
    expect(text).toContain('spec.profile')
  })

  test('a folder without tests, and a filter without matches, are failures', async () => {
    const folder = await quickstartFolder()
    expect(await run(['test', folder], fakeHost())).toBe(66)
    expect((await tested([holds], '--filter', 'nothing')).exitCode).toBe(66)
    expect((await tested([holds, fails], '--filter', 'holds')).exitCode).toBe(0)
  })
})

test('a test whose fault never occurred reports that', async () => {
  const { text, exitCode } = await tested([
    'name: an export\nsite: { faults: [exportSite=drop-after] }\nexpect: { exitCode: 0 }',
  ])
  expect(exitCode).toBe(0)
  expect(text).toContain('the fault `exportSite=drop-after` never occurred')
})

describe('a test that would never end', () => {
  const endless = `name: endless
site: { faults: ["site@Relational store=stall:999999999h"] }
apply: { timeout: 999999999h, poll: 999999999h }
expect: { exitCode: 3 }`

  test('fails', async () => {
    const { text, exitCode } = await tested([endless, holds])
    expect(text).toContain('the run does not end after 50000 polls')
    expect(text).toContain('2 tests: 1 passed, 1 failed')
    expect(exitCode).toBe(2)
  })

  test('lets the process handle other events', async () => {
    const interrupt = new AbortController()
    const clock = virtualClock()
    setImmediate(() => interrupt.abort())
    while (!interrupt.signal.aborted && clock.monotonicMs() < 10_000) await clock.sleep(1, interrupt.signal)
    expect(clock.monotonicMs()).toBeLessThan(10_000)
  })

  test('is stopped by an interrupt, and has no result then', async () => {
    const folder = await quickstartFolder()
    const interrupt = new AbortController()
    let begun = 0
    const isWanted = () => {
      begun += 1
      setImmediate(() => interrupt.abort())
      return true
    }
    const source = { name: join(folder, 'site.test.yaml'), bytes: Buffer.from(testFile(endless, holds)) }
    const policiesFor = policyReader([], policyFinder())
    const { tests } = await runTests(source, { policiesFor, isWanted, signal: interrupt.signal })
    expect([tests, begun]).toEqual([[], 1])
  })
})

test('a test reads nothing from the environment', async () => {
  process.env['LANDFORM_ADMIN_PASSWORD'] = 'short'
  try {
    expect((await tested(['name: it ends well\nexpect: { exitCode: 0 }'])).exitCode).toBe(0)
  } finally {
    delete process.env['LANDFORM_ADMIN_PASSWORD']
  }
})

test('validate skips test files', async () => {
  const folder = await quickstartFolder({ 'site.test.yaml': testFile(holds) })
  const host = fakeHost()
  expect(await run(['validate', folder], host)).toBe(0)
  expect(host.out()).toContain('1 file, 0 errors')
})

describe('while watching', () => {
  /** Waits until a condition is met, and checks it in each turn of the event loop. */
  const until = async (isSo: () => boolean) => {
    while (!isSo()) await new Promise(resolve => setImmediate(resolve))
  }
  const count = (text: string, word: string) => text.split(word).length - 1

  test('a change runs the affected tests again, and an interrupt ends the run', async () => {
    const folder = await quickstartFolder({ 'site.test.yaml': testFile(holds) })
    mkdirSync(join(folder, '.git'))
    mkdirSync(join(folder, 'other'))
    writeFileSync(join(folder, 'other', 'x.test.yaml'), `manifest: ../site.yaml\n${testFile(holds)}`)
    const host = fakeHost()
    const ended = run(['test', folder, '--watch'], host)
    await until(() => count(host.err(), 'waiting') === 1)
    expect(host.out()).toContain('2 files, 2 tests: 2 passed')
    const manifest = readFileSync(join(folder, 'site.yaml'), 'utf8')
    writeFileSync(join(folder, 'site.yaml'), manifest.replace('size: 32Gi', 'size: 1Gi'))
    await until(() => count(host.err(), 'waiting') === 2)
    expect(host.out()).toContain('2 files, 2 tests: 0 passed, 2 failed')
    writeFileSync(join(folder, 'site.test.yaml'), testFile(holds, fails))
    await until(() => count(host.err(), 'waiting') === 3)
    expect(host.out()).toContain('1 file, 2 tests: 0 passed, 2 failed')
    writeFileSync(
      join(folder, 'new.test.yaml'),
      `manifest: site.yaml\n${testFile('name: new\nexpect: { policy: [] }')}`,
    )
    await until(() => count(host.err(), 'waiting') === 4)
    expect(host.out()).toContain('1 file, 1 test: 1 passed')
    host.signal('SIGINT')
    expect(await ended).toBe(130)
  })

  test('a change while tests run is not missed', async () => {
    const folder = await quickstartFolder()
    const file = join(folder, 'site.yaml')
    const over = new AbortController()
    const runs: string[] = []
    const tested = { file, diagnostics: [], tests: [], files: [file] }
    await watchTests([tested], over.signal, {
      list: async () => [file],
      async again() {
        runs.push(readFileSync(file, 'utf8'))
        if (runs.length === 1) writeFileSync(file, 'second change')
        else over.abort()
        return [tested]
      },
      say: () => {
        if (runs.length === 0) writeFileSync(file, 'first change')
      },
    })
    expect(runs).toEqual(['first change', 'second change'])
  })

  test('a policy runs again the tests in and below its folder, and none beside it', async () => {
    const folder = await quickstartFolder()
    const files = ['sites/a', 'sites/below/b', 'sites-old/c'].map(name => join(folder, `${name}.test.yaml`))
    for (const file of files) mkdirSync(dirname(file), { recursive: true })
    const over = new AbortController()
    let affected: readonly string[] = []
    await watchTests(
      files.map(file => ({ file, diagnostics: [], tests: [], files: [file] })),
      over.signal,
      {
        list: async () => files,
        async again(some) {
          affected = some
          over.abort()
          return []
        },
        say: () => writeFileSync(join(folder, 'sites', 'landform.policy.yaml'), ''),
      },
    )
    expect(affected).toEqual(files.slice(0, 2))
  })
})

test('nothing is watched without tests', async () => {
  const folder = await quickstartFolder()
  for (const word of [folder, join(folder, 'none.test.yaml')]) {
    const host = fakeHost()
    expect(await run(['test', word, '--watch'], host)).toBe(66)
    expect(host.err()).not.toContain('waiting for changes')
  }
})

test('a missing policy file is an error, whatever the tests are', async () => {
  const { exitCode, text } = await tested([holds], '--policy', 'nowhere.yaml')
  expect([exitCode, text]).toEqual([66, expect.stringContaining('the policy nowhere.yaml does not exist')])
  expect(text).not.toContain('site.test.yaml')
})
