import { channel } from 'node:diagnostics_channel'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CommandEntry } from '../../src/cli/command.js'
import type { Host } from '../../src/cli/host.js'
import { loadCommands, run } from '../../src/cli/run.js'
import type { Emulator, EmulatorOptions } from '../../src/emulator/emulated-site.js'
import { fidelities } from '../../src/emulator/field/field-world.js'
import { mergeScenarios, scenarios } from '../../src/emulator/scenarios/scenarios.js'
import { isAtLength } from '../support/cases.js'
import {
  earlier,
  expectWhole,
  type Forms,
  formatOptions,
  stdout,
  waysToReport,
} from '../support/command-forms.js'
import { isReadOnly, looksAtSite, readsManifest, waysToGive, wordsOf } from '../support/command-lines.js'
import { argumentsTo, type Ending, endingsOf, lines, nobody } from '../support/command-outcomes.js'
import { anEmulator } from '../support/emulator.js'
import { type FakeHost, type FakeHostOptions, fakeHost } from '../support/fake-host.js'
import {
  type Answer,
  answeringSite,
  http,
  httpDouble,
  json,
  type ReceivedRequest,
  type Reply,
} from '../support/http-double.js'
import { root } from '../support/manifests.js'
import { someSecrets } from '../support/some-secrets.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { virtualClock } from '../support/virtual-clock.js'
import { watchedEnvironment } from '../support/watched-environment.js'
import { type CommandFixture, changesBelow, makeCommandFixture, written } from './command-fixture.js'
import { oneShotEndings } from './one-shot-outcomes.js'

const commands = await loadCommands()

/** The commands without those of a fleet (tested in `test/fleet`) and `comment`, which needs a CI (`comment.test.ts`). */
const table = commands.filter(({ touches }) => touches !== 'fleet' && touches !== 'ci')
const readers = table.filter(isReadOnly)
const readingCommands = readers.filter(({ touches }) => touches === 'looks')

/** Every request of this process to any address, including an emulator that a command starts. */
const sent: string[] = []
/** Returns true for a request for a token, which changes nothing. */
const isSignIn = (line: string) => /^POST \S*\/sharing\/rest\/generateToken\b/.test(line)
const onRequest = (message: unknown) => {
  const { request } = message as {
    readonly request: { readonly method: string; readonly path: string; readonly body: unknown }
  }
  if (isSignIn(`${request.method} ${request.path}`)) return
  sent.push(request.body === null ? request.method : `${request.method} with a body`)
}

const clock = virtualClock()
/** The emulators that a test starts, closed after it. */
const started: Emulator[] = []
let strict: Awaited<ReturnType<typeof strictSite>>
let own: Emulator
let slow: Emulator
let configured: Emulator
let ground: CommandFixture
let changes: () => readonly string[]

/** A proxy that forwards a GET without a body to `site`, and rejects everything else. */
async function strictSite(site: string) {
  let target = site
  const looks: string[] = []
  const offences: string[] = []
  const unless = (isAllowed: (request: ReceivedRequest) => boolean) => (request: ReceivedRequest) => {
    if (isAllowed(request)) return undefined
    offences.push(request.head.slice(0, 200))
    return [http(405, '', 'connection: close\r\n'), { close: 'end' }] as const
  }
  const hasNoBody = ({ head, connection }: ReceivedRequest) =>
    !/^(?:content-length: *[^0\s]|transfer-encoding:)/im.test(head) &&
    // False for a request with a body, and for one that did not wait for a response.
    double.received[connection]?.endsWith(`${head}\r\n\r\n`) === true
  const double = await httpDouble([
    { on: 'bytes', reply: unless(({ head }) => head.startsWith('GET ')) },
    { on: 'head', reply: unless(hasNoBody) },
    {
      reply({ head }) {
        looks.push(head.slice(0, head.indexOf('\r\n')))
        return { forward: target }
      },
    },
  ])
  return {
    url: double.at(site),
    /** The forwarded request lines, the oldest first. */
    looks,
    /** The beginning of every rejected request; none of them reached the site. */
    offences,
    /** Forwards to another site with the same path from now on, and clears both lists. */
    turnTo(other: string) {
      target = other
      looks.length = 0
      offences.length = 0
    },
    close: double.close,
  }
}

/** Starts an emulator for the strict site, with the time of `clock`. */
const startBehind = (options: EmulatorOptions = {}) =>
  anEmulator({ basePath: '/gis/admin', now: clock.now, wait: clock.sleep, ...options })

beforeAll(async () => {
  process.chdir(await temporaryFolder())
  channel('undici:request:create').subscribe(onRequest)
  own = await anEmulator({ stageMs: 1 })
  slow = await anEmulator({ stageMs: 3_600_000 })
  configured = await startBehind({ configured: true })
  strict = await strictSite(configured.url)
  ground = await makeCommandFixture({ own: own.url, slow: slow.url, strict: strict.url })
  changes = changesBelow()
})

afterEach(async () => {
  for (const one of started.splice(0)) await one.close()
})
afterAll(async () => {
  process.chdir(root)
  channel('undici:request:create').unsubscribe(onRequest)
  await strict.close()
  for (const one of [own, slow, configured]) await one.close()
})

interface Around extends FakeHostOptions {
  /** The emulator behind the strict site. Default: the configured one. */
  readonly behind?: Emulator
  /** The formats and files of reports; the files exist before the run. */
  readonly forms?: Forms
  readonly adapt?: (host: FakeHost) => Partial<Host>
}

/** Runs a command line; a read-only one sends only GET, reads no secret before a response, writes only requested files. */
async function performed(
  words: readonly string[],
  { behind = configured, forms = [], adapt, environment = someSecrets, ...given }: Around = {},
) {
  strict.turnTo(behind.url)
  for (const name of readdirSync(written)) rmSync(join(written, name), { recursive: true })
  for (const [, place] of forms) if (place.startsWith(`${written}/`)) writeFileSync(place, earlier)
  sent.length = 0
  const watched = watchedEnvironment(environment)
  const host = fakeHost({ environment: watched.environment, ...given })
  const exitCode = await run(words, { ...host, ...adapt?.(host) })
  const changed = changes()
  const entry = table.find(({ name }) => name === words[0] || name === words.slice(0, 2).join(' '))
  const others = sent.filter(what => what !== 'GET')
  if (entry !== undefined && isReadOnly(entry)) {
    // Secrets are read to redact them in responses.
    const mayRead = words.includes('--check-secrets') || (sent.length > 0 && !words.includes('--emulate'))
    const secrets = mayRead ? [] : ground.secrets.filter(one => watched.asked.has(one))
    const left = entry.name === 'init' ? [] : leftIn(written).filter(name => !askedFor(words).includes(name))
    const looks = looksAtSite(entry, words) ? [] : [...sent]
    const offences = strict.offences.filter(bytes => !isSignIn(bytes))
    expect({ words, others, offences, looks, secrets, changed, left }).toEqual({
      words,
      others: [],
      offences: [],
      looks: [],
      secrets: [],
      changed: [],
      left: [],
    })
  }
  return { exitCode, out: host.out(), err: host.err(), others, looked: sent.length > 0, asked: watched.asked }
}

const leftIn = (folder: string) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()

/** The files that a command line requests. */
function askedFor(words: readonly string[]): readonly string[] {
  return words
    .map(word => word.slice(word.indexOf('=') + 1))
    .filter(word => word.startsWith(`${written}/`))
    .map(word => word.slice(written.length + 1))
    .flatMap(word => (words.includes('--sign-key') ? [word, `${word}.sig`] : [word]))
    .sort()
}

/** Returns true for the request for the version, before a one-shot operation. */
function asksVersion(request: Pick<ReceivedRequest, 'path'>): boolean {
  return request.path.startsWith('/portal/admin?')
}

/** Starts the site of an ending; `received` returns what it received. */
async function siteOf({ site }: Ending, interrupt: (at: 'GET' | 'POST') => void) {
  if (site === undefined) return { url: own.url, received: () => [] }
  if (site === 'nobody') return { url: nobody, received: () => [] }
  if (site === 'slow') return { url: slow.url, received: () => [] }
  if (site === 'new') {
    const one = await anEmulator({ stageMs: 50 })
    started.push(one)
    return {
      url: one.url,
      received: () => {
        const posts = one.requests.filter(
          // The license check changes nothing.
          ({ method, operation }) => method === 'POST' && operation !== 'unknown',
        )
        return [posts.length, posts.filter(({ accepted }) => accepted).length]
      },
    }
  }
  const seenBy =
    (at: 'GET' | 'POST', reply: Reply): Answer =>
    request => {
      if (!asksVersion(request)) interrupt(at)
      return reply
    }
  const [toPost, toGet = json({}, 404)] = site
  const { url, gets, posts, received } = await answeringSite(seenBy('POST', toPost), seenBy('GET', toGet))
  return {
    url,
    received: () => {
      // Nor was an incomplete request received.
      expect(received).toHaveLength(gets().length + posts().length)
      return [gets().filter(one => !asksVersion(one)).length, posts().length]
    },
  }
}

/** Exit codes after which nothing was sent that changes a site, and those that always come with a next step. */
const nothingSent = [6, 64, 65, 66, 69, 78]
const goesOn = [4, 5, 6, 64, 69, 75, 77, 78]

describe.each(table)('$name', entry => {
  const cells = [...endingsOf(entry), ...oneShotEndings(entry)].flatMap(({ outcome, ending }, turn) => {
    const ways = waysToReport(entry, written, ending.into)
    // In the short form, the ways to report are spread over the endings.
    const isDue = (at: number) => isAtLength || ending.into !== undefined || at === turn % ways.length
    const due = ways.filter((_, at) => isDue(at))
    return due.map(forms => ({ outcome, ending, forms, exitCode: ending.exitCode, place: placeIn(forms) }))
  })

  test.each(cells)('that $outcome ends with $exitCode$place', async ({ ending, forms }) => {
    const { interrupt, into, received } = ending
    let signal = () => {}
    const site = await siteOf(ending, at => interrupt?.at === at && signal())
    const words = [...argumentsTo(entry, ending, site.url), ...formatOptions(forms)]
    const { exitCode, out, err, others } = await performed(words, {
      ...ending,
      forms,
      adapt: host => {
        signal = () => interrupt !== undefined && host.signal(interrupt.signal)
        return interruptedAt(interrupt?.at, host, signal)
      },
    })
    expect({ words, exitCode, err: exitCode === ending.exitCode ? '' : err }).toEqual({
      words,
      exitCode: ending.exitCode,
      err: '',
    })
    if (received !== undefined) expect(site.received()).toEqual(received)
    if (nothingSent.includes(exitCode) || ending.site === 'slow') expect(others).toEqual([])
    const isInProduct = ['validate', 'test'].includes(entry.name) && exitCode === 65
    if (exitCode > 2 && !isInProduct) expect(err).toMatch(/error|next:|in progress/)
    if (goesOn.includes(exitCode) && ending.answer !== 'y') expect(err).toMatch(/next:\s+\S/)
    expect(err.match(/^error: /gm)?.length ?? 0).toBeLessThanOrEqual(into === undefined ? 1 : 2)
    if (ending.says !== undefined) expect(err).toMatch(ending.says)
    if (ending.hides !== undefined) expect(out + err).not.toContain(ending.hides)
    if (into !== undefined)
      expect(err).toContain(`${into}: no space left on the disk (ENOSPC)\nnext: free some space`)
    if (forms.length > 0 && forms.every(([, place]) => place !== stdout)) expect(out).not.toMatch(/^\s*[{[<]/)
    // After a mistake of usage, existing files stay as they are.
    if (exitCode === 64) {
      expect(out).toBe('')
      for (const [, place] of forms) if (place !== stdout) expect(readFileSync(place, 'utf8')).toBe(earlier)
      return
    }
    const writable = forms.filter(([, place]) => place !== into)
    // A report that cannot be written does not affect the others.
    const told = expectWhole(entry, writable, { exitCode: into === undefined ? exitCode : 0, out })
    if (told !== undefined && into === undefined)
      expect(told).toMatchObject({ ...('exitCode' in told && { exitCode }), ...ending.document })
    else expect(ending.document).toBeUndefined()
  })
})

function interruptedAt(at: string | undefined, host: FakeHost, signal: () => void): Partial<Host> {
  const onSignal: Host['onSignal'] = listener => {
    const forget = host.onSignal(listener)
    signal()
    return forget
  }
  const sleep: Host['clock']['sleep'] = (milliseconds, stop) => {
    signal()
    return host.clock.sleep(milliseconds, stop)
  }
  return at === 'once' ? { onSignal } : at === 'a sleep' ? { clock: { ...host.clock, sleep } } : {}
}

/** Describes the destination of the reports, as the end of a test's name. */
function placeIn(forms: Forms): string {
  const other = forms.find(([, place]) => !place.startsWith(written))
  if (other !== undefined) return `, ${other[0]} ${other[1] === stdout ? 'on' : 'in'} ${other[1]}`
  return forms.length === 0 ? '' : ', all in files'
}

describe('a command line', () => {
  test.each(lines)('that is %s ends with %i', async (_what, expected, line, { says = '', ...more } = {}) => {
    const words = line.split(' ').filter(Boolean)
    const input = readFileSync('unlicensed.yaml', 'utf8')
    const { exitCode, err, others } = await performed(words, { input, ...more })
    expect({ exitCode, err: exitCode === expected ? '' : err }).toEqual({ exitCode: expected, err: '' })
    expect(err).toContain(says)
    expect(others).toEqual([])
    if (exitCode > 2 && !words.includes('validate')) expect(err).toMatch(/next:\s+\S|error/)
  })
})

/** Runs a command against the configured site, or another, and expects requests only from commands that read a site. */
async function looked(entry: CommandEntry, words: readonly string[], behind?: Emulator) {
  const seen = await performed(words, { adapt: () => ({ clock }), ...(behind && { behind }) })
  expect({ words, looked: seen.looked }).toEqual({ words, looked: looksAtSite(entry, words) })
  return seen
}

describe.each(readers)('$name', entry => {
  // The test above covers the formats.
  const options = Object.keys(entry.options).filter(option => option !== 'format')
  test.each(options)('with --%s sends only GET, and writes only the requested files', async option => {
    for (const way of waysToGive(entry, option, ground.files)) {
      const words = [...wordsOf(entry, ground.files), ...way]
      const { exitCode, err } = await looked(entry, words)
      expect({ words, err: exitCode === 64 ? err : '' }).toEqual({ words, err: '' })
      // `init` writes next to its manifest as well.
      if (entry.name !== 'init')
        expect({ words, left: leftIn(written) }).toEqual({ words, left: askedFor(words) })
    }
  })
})

// Commands that read a site are run on all examples below; these are the others.
const linters = readers.filter(entry => readsManifest(entry) && !readingCommands.includes(entry))

test.each(linters)('$name requires no secret for any example', async entry => {
  // In the short form, each command reads every other example.
  const isDue = (at: number) => isAtLength || (at + readers.indexOf(entry)) % 2 === 0
  for (const manifest of ground.manifests.filter((_, at) => isDue(at)))
    await looked(entry, wordsOf(entry, { ...ground.files, manifest }))
})

const worlds = fidelities.flatMap(fidelity =>
  (['new', 'running', 'configured'] as const).map(state => [fidelity, state] as const),
)

describe.each(worlds)('on a site of fidelity %s that is %s,', (fidelity, state) => {
  // In the short form, each scenario is run in one of these worlds in turn.
  const world = worlds.findIndex(one => one[0] === fidelity && one[1] === state)
  const some = Object.keys(scenarios).filter((_, at) => isAtLength || at % worlds.length === world)
  test.each(['no scenario', ...some].map((name, turn) => [name, turn] as const))(
    'in %s, only GET requests are sent',
    async (name, turn) => {
      const scenario = Object.entries(scenarios).find(([key]) => key === name)?.[1]
      const site = await startBehind({
        ...mergeScenarios(scenario === undefined ? [] : [scenario]),
        fidelity,
        ...(state === 'configured' && { configured: true }),
      })
      started.push(site)
      const waitOptions = ['--timeout', '1m', '--poll-interval', '5s']
      if (state === 'running') {
        const begin = ['apply', 'examples/quickstart.yaml', '--url', site.url, '--yes', '--detach']
        const record = ['--state', `file:${await temporaryFolder()}`]
        await performed([...begin, ...record, ...waitOptions], { adapt: () => ({ clock }) })
      }
      // Responses and manifests are independent, so the short form spreads the examples over the scenarios.
      const { manifests } = ground
      const isDue = (at: number) => isAtLength || at % worlds.length === world
      const asked = manifests.filter((_, at) =>
        scenario === undefined ? isDue(at) : at === (turn + world) % manifests.length,
      )
      for (const entry of readingCommands) {
        const waited = 'wait' in entry.options ? [[...asked.slice(0, 1), '--wait', ...waitOptions]] : []
        for (const words of [...asked.map(file => [file]), ...waited]) {
          await looked(entry, [entry.name, ...words], site)
          expect(strict.looks.length).toBeGreaterThan(0)
        }
      }
    },
  )
})

describe('the checks of this file', () => {
  test('find commands that only read, and some that poll a site', () => {
    expect(readers.length).toBeGreaterThan(readingCommands.length)
    expect(readingCommands.length).toBeGreaterThanOrEqual(2)
  })

  test('forward only a GET, and record every request', async () => {
    const behind = await startBehind()
    started.push(behind)
    strict.turnTo(behind.url)
    for (const init of [{ method: 'POST', body: 'f=json' }, { method: 'DELETE' }, { method: 'GET' }])
      await fetch(strict.url, init)
    expect(strict.offences).toEqual([expect.stringMatching(/^POST /), expect.stringMatching(/^DELETE /)])
    expect(strict.looks).toHaveLength(1)
    expect(behind.requests).toHaveLength(1)
  })

  test('detect what an apply sends, writes and reads', async () => {
    expect(ground.secrets.length).toBeGreaterThan(10)
    const { others, asked } = await performed(['apply', 'examples/quickstart.yaml', '--emulate'])
    expect(others).toContain('POST with a body')
    expect([...asked]).toEqual(
      expect.arrayContaining(['LANDFORM_ADMIN_PASSWORD', 'LANDFORM_SECURITY_ANSWER']),
    )
    writeFileSync('valid.yaml', readFileSync('valid.yaml'))
    expect(changes()).toEqual(['valid.yaml'])
    writeFileSync('stray', '')
    expect(changes()).toContain('stray')
    rmSync('stray')
    expect(changes()).toContain('stray')
  })
})
