import { readFileSync, writeFileSync } from 'node:fs'
import { run } from '../../src/cli/run.js'
import type { EmulatorOptions } from '../../src/emulator/emulated-site.js'
import { exitCodes } from '../../src/report/exit-code.js'
import { anEmulator } from '../support/emulator.js'
import { writeExample } from '../support/example-copy.js'
import { fakeHost } from '../support/fake-host.js'
import { answeringSite, json } from '../support/http-double.js'
import { landform } from '../support/landform.js'
import { listSchemaErrors } from '../support/schema-errors.js'
import { someSecrets } from '../support/some-secrets.js'
import { temporaryFolder } from '../support/temporary-folder.js'

/** A site, and a folder with a manifest for it, with the same clock. */
async function atASite(options: EmulatorOptions = {}, more = '') {
  const folder = await temporaryFolder()
  const file = writeExample(folder, { edit: text => text.replace('  volumes:', `${more}  volumes:`) })
  const { clock } = fakeHost()
  const methods: string[] = []
  const emulator = await anEmulator({
    now: clock.now,
    inspect: ({ received }) => methods.push(received.request.method),
    ...options,
  })
  const command = async (...words: readonly string[]) => {
    const host = { ...fakeHost({ environment: someSecrets }), clock }
    const [name = '', ...rest] = words
    const exitCode = await run([name, file, '--url', emulator.url, ...rest], host)
    return {
      exitCode,
      out: host.out().replaceAll(`${folder}/`, ''),
      err: host.err().replaceAll(`${folder}/`, ''),
    }
  }
  return {
    emulator,
    folder,
    apply: () => command('apply', '--yes'),
    begin: () => command('apply', '--yes', '--detach'),
    drift: async (...words: readonly string[]) => {
      methods.length = 0
      const ended = await command('drift', ...words)
      expect(methods.filter(method => method !== 'GET')).toEqual([])
      return ended
    },
    edit: (from: string, to: string) => writeFileSync(file, readFileSync(file, 'utf8').replace(from, to)),
  }
}

describe('on a site as the last apply left it', () => {
  test('the JSON matches the text and its schema', async () => {
    const site = await atASite()
    await site.apply()
    site.edit('size: 30Gi', 'size: 31Gi')
    const { exitCode, out } = await site.drift('--format', 'json')
    expect(exitCode).toBe(exitCodes.changes)
    const document = JSON.parse(out)
    expect(listSchemaErrors('drift', document)).toEqual([])
    expect(document.coverage).toMatchObject({ different: 1, total: 40 })
    expect(
      document.fields.filter(({ verdict }: { verdict: string }) => verdict === 'different'),
    ).toMatchObject([
      {
        pointer: '/spec/volumes/REST_METRICS_API/size',
        value: '31Gi',
        found: '30Gi',
        source: 'record',
        cause: 'edited',
        line: 33,
      },
    ])
  })
})

describe('on a site that reports its settings', () => {
  const more = '  logLevel: INFO\n  systemProperties: { containerStartUpTimeoutSeconds: 1800 }\n'
  const field = { fidelity: 'field', token: someSecrets.LANDFORM_TOKEN, stageMs: 100 } as const

  test('changes by others are listed as differences, separately from edits of the manifest', async () => {
    const before = await atASite(field, more)
    await before.apply()
    const { port, pathname: basePath } = new URL(before.emulator.url)
    await before.emulator.close()
    const others = await atASite({ ...field, port: Number(port), basePath }, more.replace('INFO', 'DEBUG'))
    await others.apply()
    before.edit('1800', '900')
    const { exitCode, out } = await before.drift()
    expect(exitCode).toBe(exitCodes.changes)
    expect(out).toMatch(/~ logLevel +INFO, DEBUG on the site {2}changed on the site {2}site\.yaml:25$/m)
    expect(out).toMatch(
      /~ systemProperties\.containerStartUpTimeoutSeconds +900, 1800 on the site {2}edited since the last apply/m,
    )
    expect(out).toContain('2 of 42 fields differ; ')
  })
})

describe('--min-coverage', () => {
  test.each([
    ['0', exitCodes.done],
    ['100', exitCodes.refused],
  ])('%s ends with %d on a site that reports only a part', async (least, expected) => {
    const site = await atASite()
    await site.apply()
    const { exitCode, err, out } = await site.drift('--min-coverage', least)
    expect(exitCode).toBe(expected)
    expect(out).toContain('readable on the site')
    expect(/below --min-coverage 100:/.test(err)).toBe(expected === exitCodes.refused)
  })

  test('is reported together with a difference, which determines the exit code', async () => {
    const site = await atASite()
    await site.apply()
    site.edit('size: 30Gi', 'size: 31Gi')
    const { exitCode, err } = await site.drift('--min-coverage', '100')
    expect([exitCode, err]).toEqual([exitCodes.changes, expect.stringContaining('--min-coverage')])
  })

  test.each(['-1', '101', '50%', '1.5', 'all', ' '])(
    '%j is rejected before the site is polled',
    async least => {
      const { exitCode, err } = await landform(['drift', 'nowhere.yaml', `--min-coverage=${least}`])
      expect([exitCode, err]).toEqual([64, expect.stringContaining('a whole number from 0 to 100')])
    },
  )
})

describe('without anything to compare', () => {
  test('on a site that is not configured, the next step is an apply', async () => {
    const site = await atASite()
    const { exitCode, out, err } = await site.drift()
    expect([exitCode, out]).toEqual([exitCodes.stale, ''])
    expect(err).toMatch(/^error: nothing to compare yet: the site is not configured\nnext: landform apply /)
  })

  test('during a configuration, the next step is to wait', async () => {
    const site = await atASite({ stageMs: 60_000 })
    expect((await site.begin()).exitCode).toBe(exitCodes.inProgress)
    const { exitCode, err } = await site.drift()
    expect(exitCode).toBe(exitCodes.inProgress)
    expect(err).toMatch(/the configuration is under way\nnext: landform status .* --wait\n$/)
  })

  test.each([
    ['failed', exitCodes.serviceFailed, 'the configuration failed: disk full'],
    ['resting', exitCodes.unknown, 'the state "resting", which is not documented, so nothing is compared'],
  ])('a site in the state %s needs manual intervention', async (state, expected, words) => {
    const root = { fullVersion: '11.2.0', status: { state, message: 'disk full', warnings: [], stages: [] } }
    const shape = { resources: [], currentVersion: 11.2, info: { build: '1' } }
    const { url } = await answeringSite(json({}, 404), json({ ...shape, ...root }))
    const { exitCode, err } = await landform(['drift', 'examples/quickstart.yaml', '--url', url])
    expect([exitCode, err]).toEqual([expected, expect.stringContaining(words)])
  })
})
