import { generateKeyPairSync } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../../src/cli/run.js'
import { aFleet, type Fleet, siteName } from '../support/a-fleet.js'
import { type FakeHostOptions, fakeHost } from '../support/fake-host.js'
import { root } from '../support/manifests.js'
import { listSchemaErrors } from '../support/schema-errors.js'
import { someSecrets } from '../support/some-secrets.js'
import { virtualClock } from '../support/virtual-clock.js'

let fleet: Fleet
let clock: ReturnType<typeof virtualClock>

async function openFleet(count: number, options: Parameters<typeof aFleet>[1] = {}) {
  clock = virtualClock()
  fleet = await aFleet(count, { now: clock.now, wait: clock.sleep, ...options })
}
const before = process.cwd()
afterEach(() => process.chdir(before))

function hostFor(options: FakeHostOptions = {}) {
  return { ...fakeHost({ environment: someSecrets, ...options }), clock }
}

async function landform(args: readonly string[], options: FakeHostOptions = {}) {
  const host = hostFor(options)
  const exitCode = await run(args, host)
  const near = (text: string) => text.replaceAll(`${fleet.folder}/`, '')
  return { exitCode, out: near(host.out()), err: near(host.err()) }
}

const configured = () => fleet.files.map((_, at) => fleet.counters(at + 1).configure.accepted)
const posts = () => fleet.served.filter(({ operation }) => operation !== 'root')

describe('an apply', () => {
  test('continues after a site failed, and the same command completes the rest', async () => {
    await openFleet(8, { siteWords: ['3:update@1=error:400'] })
    const report = join(fleet.folder, 'report.json')
    const wait = ['--timeout', '5s', '--poll-interval', '1s', '--concurrency', '2']
    const words = ['apply', fleet.folder, '--yes', ...wait]
    const formats = ['--format', 'text', '--format', `json=${report}`]
    const { exitCode, out } = await landform([...words, ...formats])
    expect(exitCode).toBe(5)
    expect(configured()).toEqual([1, 1, 1, 1, 1, 1, 1, 1])
    expect(out).toContain('8 sites: 1 failed, 7 done.')
    const document = JSON.parse(readFileSync(report, 'utf8'))
    expect(listSchemaErrors('sites', document)).toEqual([])
    expect(document).toMatchObject({ exitCode: 5, message: '8 sites: 1 failed, 7 done' })
    expect(document.sites[2]).toMatchObject({ exitCode: 5, result: { outcome: 'not-taken', exitCode: 5 } })
    const again = await landform(words)
    expect(again.out).toContain('8 sites: 1 done, 7 without changes.')
    expect(again.exitCode).toBe(0)
    expect(configured()).toEqual([1, 1, 1, 1, 1, 1, 1, 1])
  })

  test('skips sites without changes and sites that cannot be planned', async () => {
    await openFleet(4, { siteWords: ['4:root=html'] })
    await landform(['apply', fleet.files[0] ?? '', '--yes'])
    const { out } = await landform(['apply', fleet.folder, '--yes'])
    const table = out.slice(out.indexOf('site      exit'))
    expect(table).toMatch(/^ {2}site-001 +0 +no changes/m)
    expect(table).toMatch(/^ {2}site-002 +0 +success/m)
    expect(table).toMatch(/^ {2}site-003 +0 +success/m)
    expect(table).toMatch(/^ {2}site-004 +77\b/m)
  })
})

describe('of more than ten sites', () => {
  const lines = (text: string) => text.split('\n').filter(line => line !== '')

  test('a plan is a table with the details of failures, and with -v of every site', async () => {
    await openFleet(11, { siteWords: ['4:root=html'] })
    const short = await landform(['plan', fleet.folder])
    expect(short.out).not.toContain('Plan for')
    expect(short.out).toContain(
      '11 sites: 1 refused, 10 with changes.\n`create` creates an organization, which cannot be undone.\nWith -v, every site',
    )
    expect(short.err).toContain('[site-004] error:')
    const long = await landform(['plan', fleet.folder, '-v'])
    expect(long.out.match(/^Plan for/gm)).toHaveLength(10)
    const file = join(fleet.folder, 'plan.txt')
    await landform(['plan', fleet.folder, '--format', `text=${file}`])
    expect(readFileSync(file, 'utf8').match(/^Plan for/gm)).toHaveLength(10)
  })

  test('an apply prints only what each site starts, waits for and ends with, and with -v everything', async () => {
    await openFleet(11)
    const { err } = await landform(['apply', fleet.folder, '--yes'])
    await openFleet(11)
    const long = await landform(['apply', fleet.folder, '--yes', '-v'])
    expect(lines(long.err).length).toBeGreaterThan(4 * lines(err).length)
  })

  test('the output of a plan, two applies and a status is as in test/transcripts/walks/many-sites.md', async () => {
    await openFleet(12, { basePath: '/gis/admin', siteWords: ['3:configure@1=error:400', '4:root=html'] })
    const { port } = new URL(fleet.emulator.url)
    const settle = (text: string) =>
      text.replaceAll(`${fleet.folder}/`, '').replaceAll(fleet.folder, 'sites').replaceAll(port, '4001')
    const story = ['# Twelve sites, two of which have a problem']
    for (const line of [
      'plan sites',
      'apply sites --yes --concurrency 1',
      'apply sites --yes',
      'status sites',
    ]) {
      const host = hostFor({ columns: 80, settle })
      const words = line.split(' ').map(word => (word === 'sites' ? fleet.folder : word))
      const exitCode = await run(words, host)
      story.push(
        ['```text', `$ landform ${line}`, `${settle(host.screen())}[exit ${exitCode}]`, '```'].join('\n'),
      )
    }
    const page = `${story.join('\n\n')}\n`
    const golden = join(root, 'test/transcripts/walks/many-sites.md')
    if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(golden, page)
    expect(page).toBe(readFileSync(golden, 'utf8'))
  })
})

test('an apply suggests the next step for a ready site without a record', async () => {
  await openFleet(2)
  await landform(['apply', fleet.folder, '--yes', '--state', `file:${fleet.folder}/elsewhere`])
  const { exitCode, err } = await landform(['apply', fleet.folder, '--yes'])
  expect([exitCode, configured()]).toEqual([0, [1, 1]])
  expect(err).toContain('[site-002]   2. if the site matches the manifest, record that: `landform adopt')
})

describe('one question', () => {
  test('is asked once for all sites, and only `yes` confirms', async () => {
    await openFleet(3)
    const no = await landform(['apply', fleet.folder], { answer: 'y' })
    expect([no.exitCode, posts()]).toEqual([78, []])
    expect(no.err).toContain(
      'Apply the plans of 3 sites? Creating an organization cannot be undone: site-001, site-002, site-003. Type `yes` to confirm: y\n',
    )
    expect(no.out.match(/^Plan for site-00\d/gm)).toHaveLength(3)
    const yes = await landform(['apply', fleet.folder], { answer: 'yes' })
    expect([yes.exitCode, configured()]).toEqual([0, [1, 1, 1]])
    const nothing = await landform(['apply', fleet.folder])
    expect([nothing.exitCode, configured()]).toEqual([0, [1, 1, 1]])
    expect(nothing.err).toBe('')
  })

  test('shows a table for many sites', async () => {
    await openFleet(11)
    const { exitCode, out, err } = await landform(['apply', fleet.folder], { answer: 'no' })
    expect(exitCode).toBe(78)
    expect(out).not.toContain('Plan for')
    expect(err).toContain('Creating an organization cannot be undone: 11 sites.')
    expect(out.match(/^ {2}site-0\d\d .* {2}create, update$/gm)).toHaveLength(11)
  })

  test('cannot be asked without a terminal, and nothing is sent', async () => {
    await openFleet(2)
    const { exitCode, err } = await landform(['apply', ...fleet.files])
    expect([exitCode, posts()]).toEqual([78, []])
    expect(err).toContain(
      'confirmation required, but input is not a terminal: pass `--yes`; nothing was sent',
    )
  })
})

test('the question names a site whose configure was rejected, and `yes` sends another', async () => {
  await openFleet(2, { siteWords: ['2:configure@1=error-before:400,message:The license is expired.'] })
  expect((await landform(['apply', fleet.folder, '--yes'])).exitCode).toBe(5)
  const again = await landform(['apply', fleet.folder], { answer: 'yes' })
  expect(again.err).toContain(
    'site-002: The service rejected an earlier configure: The license is expired. If you confirm, another one is sent.\n',
  )
  expect(again.err).toContain(
    'Apply the plans of 1 site? Creating an organization cannot be undone: site-002. ',
  )
  expect([again.exitCode, configured()]).toEqual([0, [1, 1]])
})

describe('saved plans of many sites', () => {
  test('are files of one folder, which are applied without a question', async () => {
    await openFleet(3, { siteWords: ['3:root=html'] })
    process.chdir(fleet.folder)
    const plans = 'plans'
    mkdirSync(plans)
    writeFileSync(join(plans, 'site-003.plan.json'), '{}')
    const planned = await landform(['plan', '.', '--out', plans])
    expect(planned.exitCode).toBe(77)
    expect(planned.err).toContain('[site-001] saved sha256:')
    expect(planned.err).toMatch(/landform apply plans\/site-001\.plan\.json --manifest site-001\.yaml/)
    expect(readdirSync(plans)).toEqual(['site-001.plan.json', 'site-002.plan.json'])
    const { exitCode, out } = await landform(['apply', plans, '--format', 'json'])
    expect(exitCode).toBe(0)
    const document = JSON.parse(out)
    expect(listSchemaErrors('sites', document)).toEqual([])
    expect(document.sites.map(({ site }: { readonly site: string }) => site)).toEqual([
      'site-001',
      'site-002',
    ])
    expect(configured()).toEqual([1, 1, 0])
    const used = await landform(['apply', plans])
    expect([used.exitCode, configured()]).toEqual([0, [1, 1, 0]])
  })

  test('send no second configure after a rejection, since no question was asked', async () => {
    await openFleet(2, { siteWords: ['2:configure@1=error-before:400,message:The license is expired.'] })
    expect((await landform(['apply', fleet.folder, '--yes'])).exitCode).toBe(5)
    process.chdir(fleet.folder)
    await landform(['plan', '.', '--out', 'plans'])
    const { exitCode, err } = await landform(['apply', 'plans'])
    expect(exitCode).toBe(4)
    expect(err).toContain('[site-002] error: the service rejected an earlier configure')
    expect(fleet.counters(2).configure.received).toBe(1)
  })

  test('need a folder: a file is a mistake of usage', async () => {
    await openFleet(2)
    const served = fleet.served.length
    const planned = await landform(['plan', fleet.folder, '--out', fleet.files[0] ?? ''])
    expect([planned.exitCode, fleet.served.length]).toEqual([64, served])
    expect(planned.err).toContain('error: --out for several sites is a folder: ')
  })

  test('never overwrite each other: a second one with the same name is rejected', async () => {
    const rename = (to: string) => (text: string) => text.replace(/site-00[23]/, to)
    await openFleet(3, {
      changes: new Map([
        [2, rename('site-001')],
        [3, rename('site-002')],
      ]),
    })
    process.chdir(fleet.folder)
    const { exitCode, err } = await landform(['plan', '.', '--out', 'plans', '--concurrency', '1'])
    expect([exitCode, readdirSync('plans')]).toEqual([78, ['site-001.plan.json', 'site-002.plan.json']])
    expect(err).toContain(
      '[site-002] error: plans/site-002.plan.json already has the plan of site-002.yaml\n',
    )
  })

  test('that cannot be written fail only their sites', async () => {
    await openFleet(3)
    process.chdir(fleet.folder)
    mkdirSync('plans/site-001.plan.json', { recursive: true })
    mkdirSync('plans/site-002.plan.json.sig')
    const { exitCode, err, out } = await landform(['plan', '.', '--out', 'plans'])
    expect([exitCode, readdirSync('plans')]).toEqual([
      74,
      ['site-001.plan.json', 'site-002.plan.json', 'site-002.plan.json.sig', 'site-003.plan.json'],
    ])
    expect(err).toContain('[site-001] error: could not write plans/site-001.plan.json: ')
    expect(out).toMatch(/site-002 .*\s+the plan could not be saved/)
    expect(out).toContain('3 sites: 2 failed, 1 with changes.')
  })

  test('that are damaged fail only their sites, except where a signature is required', async () => {
    await openFleet(2)
    process.chdir(fleet.folder)
    const { publicKey } = generateKeyPairSync('ed25519')
    writeFileSync('key.pem', publicKey.export({ type: 'spki', format: 'pem' }))
    await landform(['plan', '.', '--out', 'plans'])
    writeFileSync('plans/site-002.plan.json', '')
    const signed = await landform(['apply', 'plans', '--require-signature', 'key.pem'])
    expect([signed.exitCode, posts()]).toEqual([78, []])
    const { exitCode, err } = await landform(['apply', 'plans'])
    expect([exitCode, configured()]).toEqual([65, [1, 0]])
    expect(err).toContain('error: the plan plans/site-002.plan.json is not JSON')
  })

  test('are rejected together with the manifest of the same site', async () => {
    await openFleet(1)
    await landform(['plan', fleet.folder, '--out', fleet.folder])
    const served = fleet.served.length
    const { exitCode, err } = await landform(['apply', fleet.folder, '--yes'])
    expect([exitCode, fleet.served.length]).toEqual([65, served])
    expect(err).toContain('site-001.plan.json and site-001.yaml are for the same site')
  })

  test('of this run are stale if a manifest changes before its turn', async () => {
    await openFleet(2)
    const [, second = ''] = fleet.files
    const host = hostFor({ answer: 'yes' })
    const { print } = host.stderr
    const stderr = {
      ...host.stderr,
      print(text: string) {
        print(text)
        if (text.includes('[site-001] Success'))
          writeFileSync(second, readFileSync(second, 'utf8').replace('16Gi', '17Gi'))
      },
    }
    const words = ['apply', fleet.folder, '--concurrency', '1']
    expect(await run(words, { ...host, stderr })).toBe(6)
    expect(configured()).toEqual([1, 0])
    expect(host.err()).toContain('[site-002] error: saved plan is stale: the manifest changed')
    expect(host.err()).toContain('; nothing was sent')
  })
})

test('drift compares each site, and writes CI outputs once', async () => {
  await openFleet(2)
  await landform(['apply', ...fleet.files, '--yes'])
  const [first = ''] = fleet.files
  writeFileSync(first, readFileSync(first, 'utf8').replace('16Gi', '17Gi'))
  const outputs = join(fleet.folder, 'outputs.txt')
  const environment = { ...someSecrets, GITHUB_OUTPUT: outputs }
  const { exitCode, out } = await landform(['drift', ...fleet.files], { environment })
  expect(exitCode).toBe(2)
  expect(out.match(/^Drift of site-00\d/gm)).toHaveLength(2)
  expect(out).toContain('2 sites: 1 with differences, 1 without differences.')
  expect(readFileSync(outputs, 'utf8')).toBe('changes=true\nexitcode=2\n')
  const json = JSON.parse((await landform(['drift', ...fleet.files, '--format', 'json'])).out)
  expect(listSchemaErrors('sites', json)).toEqual([])
  expect(json.sites[0].result.coverage.different).toBe(1)
})

test('the row of a site shows its low coverage', async () => {
  await openFleet(2)
  await landform(['apply', ...fleet.files, '--yes'])
  const { exitCode, out } = await landform(['drift', fleet.folder, '--min-coverage', '100'])
  expect(exitCode).toBe(78)
  expect(out).toMatch(/site-002 +78\s+coverage is 0 %, below --min-coverage 100/)
})

describe('what is rejected before a site is polled', () => {
  test('two manifests for one site', async () => {
    await openFleet(2)
    const copy = join(fleet.folder, 'copy.yaml')
    writeFileSync(copy, readFileSync(fleet.files[0] ?? ''))
    const { exitCode, err } = await landform(['apply', fleet.folder, '--yes'])
    expect([exitCode, fleet.served]).toEqual([65, []])
    expect(err).toContain('copy.yaml and site-001.yaml are for the same site')
  })

  test.each([
    ['apply', ['--url', 'https://gis.example.org/admin'], '--url is the address of one site'],
    ['apply', ['--concurrency', '0'], '--concurrency must be a number from 1 to 256'],
    ['plan', ['--sign-key', 'env:LANDFORM_KEY'], '--sign-key signs a saved plan'],
    ['plan', ['--storage-classes', 'classes.json'], '--storage-classes is for one cluster'],
    ['plan', ['--format', 'html'], 'unknown format "html"'],
  ])('%s %j', async (command, options, words) => {
    await openFleet(2)
    const { exitCode, err } = await landform([command, fleet.folder, ...options])
    expect([exitCode, fleet.served]).toEqual([64, []])
    expect(err).toContain(words)
  })

  test('a folder without a manifest', async () => {
    await openFleet(1)
    const empty = join(fleet.folder, 'empty')
    mkdirSync(empty)
    expect((await landform(['plan', empty])).exitCode).toBe(66)
    writeFileSync(join(empty, 'other.yaml'), 'a: b\n')
    expect(await landform(['plan', empty])).toMatchObject({
      exitCode: 66,
      err: '1 other file skipped\nerror: no manifest found\n',
    })
  })
})

describe('a folder', () => {
  test.each(['plan', 'apply', 'status'])('with a file that %s cannot read fails', async command => {
    await openFleet(1)
    const text = readFileSync(fleet.files[0] ?? '', 'utf8').replaceAll('site-001', 'other')
    writeFileSync(join(fleet.folder, 'b.yaml'), Buffer.from(`\ufeff${text}`, 'utf16le'))
    const { exitCode, err } = await landform([
      command,
      fleet.folder,
      ...(command === 'apply' ? ['--yes'] : []),
    ])
    expect(exitCode).toBe(65)
    expect(err).toContain('the file is UTF-16, not UTF-8')
  })

  test.each(['plan', 'apply', 'status'])(
    'with other files: %s prints how many are skipped, and their names with -v',
    async command => {
      await openFleet(1)
      const options = command === 'apply' ? ['--yes'] : []
      writeFileSync(join(fleet.folder, 'compose.yaml'), 'services: {}\n')
      writeFileSync(join(fleet.folder, 'package.json'), '{}')
      const { err } = await landform([command, fleet.folder, ...options])
      expect(err).toContain('2 other files skipped\n')
      const named = await landform([command, fleet.folder, ...options, '-v'])
      expect(named.err).toContain('skipped compose.yaml\nskipped package.json\n')
      expect((await landform([command, fleet.folder, ...options, '-q'])).err).not.toContain('skipped')
    },
  )

  test('covers a base through the manifests that extend it', async () => {
    await openFleet(2)
    const [first = '', second = ''] = fleet.files
    const text = readFileSync(first, 'utf8')
    const base = join(fleet.folder, 'a-base.yaml')
    writeFileSync(base, text)
    const [url = ''] = /http:.*admin/.exec(readFileSync(second, 'utf8')) ?? []
    const overlay = (name: string, address: string) =>
      `apiVersion: landform.dev/v1\nkind: SiteDeployment\nextends: a-base.yaml\nmetadata: {name: ${name}}\nspec: {site: {url: "${address}"}}\n`
    const [own = ''] = /http:.*admin/.exec(text) ?? []
    writeFileSync(first, overlay('one', own))
    writeFileSync(second, overlay('two', url))
    const { exitCode, out } = await landform(['status', fleet.folder])
    expect(exitCode).toBe(0)
    expect(
      out
        .trimEnd()
        .split('\n')
        .slice(1, 3)
        .map(line => line.trim().split(' ')[0]),
    ).toEqual(['one', 'two'])
  })

  test('has no site from its tests, even if they are named', async () => {
    await openFleet(1)
    const tests = join(fleet.folder, 'a.test.yaml')
    writeFileSync(tests, 'apiVersion: landform.dev/v1\nkind: SiteTest\ntests: []\n')
    const { exitCode, out } = await landform(['plan', tests, fleet.files[0] ?? '', '--format', 'json'])
    expect([exitCode, JSON.parse(out)]).toEqual([0, expect.objectContaining({ sites: [expect.anything()] })])
  })

  test('identifies sites by their files if their manifests have the same name', async () => {
    await openFleet(2, { changes: new Map([[2, (text: string) => text.replace('site-002', 'site-001')]]) })
    // Run from the folder itself: a table truncates long names, such as those of temporary folders.
    process.chdir(fleet.folder)
    const { out } = await landform(['status', '.'])
    expect(out).toMatch(/^ {2}site-001\.yaml .*\n {2}site-002\.yaml /m)
  })
})

test('--resubmit-after-rejection applies to every rejected site', async () => {
  await openFleet(2, { siteWords: ['2:configure@1=error-before:400,message:The license is expired.'] })
  const words = ['apply', fleet.folder, '--yes']
  expect((await landform(words)).exitCode).toBe(5)
  const held = await landform(words)
  expect(held.exitCode).toBe(4)
  expect(held.err).toContain('[site-002] next: fix the cause, then run `landform apply ')
  expect(configured()).toEqual([1, 0])
  expect((await landform([...words, '--resubmit-after-rejection'])).exitCode).toBe(0)
  expect(configured()).toEqual([1, 1])
})

test('an interrupt starts no further site, and detaches from the others', async () => {
  await openFleet(4, { stageMs: 5000 })
  const host = hostFor()
  const { print } = host.stderr
  const stderr = {
    ...host.stderr,
    print(text: string) {
      print(text)
      if (text.includes('accepted')) host.signal('SIGINT')
    },
  }
  const words = ['apply', fleet.folder, '--yes', '--concurrency', '1']
  expect(await run(words, { ...host, stderr })).toBe(130)
  expect(configured()).toEqual([1, 0, 0, 0])
  expect(host.out()).toMatch(/^ {2}site-001 +130\b/m)
  expect(host.out()).toContain('4 sites: 1 cancelled, 3 not started.')
  const again = await landform(['apply', fleet.folder, '--yes', '--poll-interval', '5s'])
  expect([again.exitCode, configured()]).toEqual([0, [1, 1, 1, 1]])
})

test('events of all sites are in one file, each with the name of its site', async () => {
  await openFleet(3)
  const file = join(fleet.folder, 'events.ndjson')
  const { err } = await landform(['apply', fleet.folder, '--yes', '--events', file, '--progress', 'json'])
  const events = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))
  for (const event of events) expect(listSchemaErrors('event', event)).toEqual([])
  for (const site of [1, 2, 3]) {
    const own = events.filter(event => event.site === siteName(site)).map(({ type }) => type)
    expect([own[0], own.at(-1)]).toEqual(['stream-started', 'stream-finished'])
  }
  expect(events.every(({ site }) => /^site-00[123]$/.test(site))).toBe(true)
  const lines = err.split('\n').filter(line => line.startsWith('{'))
  expect(lines.map(line => JSON.parse(line).type)).toEqual(events.map(({ type }) => type))
})

test('--wait-ready waits for each site that is not reachable yet', async () => {
  await openFleet(2, { siteWords: ['2:root@1=html:503'] })
  const { exitCode, err } = await landform(['apply', fleet.folder, '--yes', '--wait-ready', '5m'])
  expect([exitCode, configured()]).toEqual([0, [1, 1]])
  expect(err).toContain('[site-002] waiting up to 5m 00s for http')
})

test('lines of progress begin with the name of their site', async () => {
  await openFleet(2)
  const { err } = await landform(['apply', fleet.folder, '--yes'])
  const lines = err.trimEnd().split('\n')
  expect(lines.length).toBeGreaterThan(20)
  expect(lines.filter(line => !/^\[site-00[12]\] /.test(line))).toEqual([])
  expect(lines).toContain('[site-002] Success: the site was verified ready.')
})

describe('plan and status of many sites', () => {
  test.each(['plan', 'status'] as const)('%s has one document, also with a failed site', async command => {
    await openFleet(3, { siteWords: ['2:root=html'] })
    const { exitCode, out } = await landform([command, fleet.folder, '--format', 'json'])
    const document = JSON.parse(out)
    expect(listSchemaErrors('sites', document)).toEqual([])
    expect(exitCode).toBe(77)
    expect(
      document.sites.map((one: Record<string, unknown>) => [one['site'], one['result'] === null]),
    ).toEqual([
      ['site-001', false],
      ['site-002', true],
      ['site-003', false],
    ])
    expect(document.sites[1].error.exitCode).toBe(77)
  })

  test('plan shows each plan and a summary, and exits with 2 for changes', async () => {
    await openFleet(2)
    await landform(['apply', fleet.files[0] ?? '', '--yes'])
    const { exitCode, out } = await landform(['plan', fleet.folder, '--detailed-exitcode'])
    expect(exitCode).toBe(2)
    expect(out.match(/^Plan for site-00\d/gm)).toHaveLength(2)
    expect(out).toContain('2 sites: 1 with changes, 1 without changes.')
    const markdown = await landform(['plan', fleet.folder, '--format', 'markdown'])
    expect(markdown.out).toContain('| `site-002` | ')
  })

  test('status names the request whose outcome is open', async () => {
    await openFleet(2, { siteWords: ['2:configure@1=drop-before'] })
    await landform(['apply', fleet.folder, '--yes', '--timeout', '5s'])
    const { out } = await landform(['status', fleet.folder])
    expect(out).toMatch(/site-002 +0\s+open request: configure \S+: /)
    expect(out).toMatch(/; not-configured/)
  })

  test('status --wait waits for all of them', async () => {
    await openFleet(3, { stageMs: 2000 })
    await landform(['apply', ...fleet.files.slice(0, 2), '--yes', '--detach'])
    const { exitCode, out, err } = await landform(['status', fleet.folder, '--wait'])
    expect(exitCode).toBe(6)
    expect(out).toMatch(/^ {2}site-001 +0 +ready, .*\n {2}site-002 +0 +ready, /m)
    expect(err).toContain('[site-001] [+00:')
    expect(err).toContain('[site-003] error: no configuration is under way')
    expect(err).toMatch(/\[site-003\] next: `landform apply \S*site-003\.yaml.*` starts one/)
  })
})
