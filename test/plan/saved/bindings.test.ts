import { mapSettings, noSettings } from '../../../src/plan/observation.js'
import { type Bindings, computeSettingDigests, findChangedFacts } from '../../../src/plan/saved/bindings.js'
import { describeStaleFact } from '../../../src/report/plan-words.js'
import { aPlan } from '../../support/a-plan.js'

const { binds } = aPlan()
const digest = `sha256:${'f'.repeat(64)}`
const site = (changes: Partial<Bindings['site']>): Bindings => ({
  ...binds,
  site: { ...binds.site, ...changes },
})
const setting = (name: keyof Bindings['site']['settings']) =>
  site({ settings: { ...binds.site.settings, [name]: digest } })

describe('for the facts that a plan is bound to', () => {
  test('nothing has moved if all are the same', () => {
    expect(findChangedFacts(binds, JSON.parse(JSON.stringify(binds)))).toEqual([])
  })

  test.each(['11.2', '11.2.0.0'])('nothing has moved if the version is spelled %s', version => {
    expect(findChangedFacts(binds, site({ version }))).toEqual([])
  })

  test('the build counts if both responses had it', () => {
    const [one, other] = [site({ build: '1' }), site({ build: '2' })]
    expect(findChangedFacts(one, other)).toEqual([{ kind: 'site-build', was: '1', is: '2' }])
    expect(findChangedFacts(one, binds)).toEqual([])
    expect(findChangedFacts(binds, one)).toEqual([])
  })

  test('the state location counts if both plans had it', () => {
    const [one, other] = [
      { ...binds, state: 'git:origin' },
      { ...binds, state: 'file:state' },
    ]
    expect(findChangedFacts(one, other)).toEqual([
      { kind: 'state-location', was: 'git:origin', is: 'file:state' },
    ])
    expect([findChangedFacts(one, binds), findChangedFacts(binds, one)]).toEqual([[], []])
  })

  test.each<[string, Bindings]>([
    ['the manifest changed since it was made', { ...binds, manifest: digest }],
    [
      'the file licenses/site.json changed since it was made',
      { ...binds, files: { 'licenses/site.json': digest } },
    ],
    ['the file licenses/site.json changed since it was made', { ...binds, files: {} }],
    [
      'the file constructor changed since it was made',
      { ...binds, files: { ...binds.files, constructor: digest } },
    ],
    ['the state of the site changed from not-configured to ready', site({ state: 'ready' })],
    ['the version of the site changed from 11.2.0 to 11.3', site({ version: '11.3' })],
    ['the version of the site changed from 11.2.0 to unknown', site({ version: null })],
    ['the upgrade configuration of the site changed since it was made', setting('upgradeConfig')],
    ['the architecture profile of the site changed since it was made', setting('profile')],
    ['the log level of the site changed since it was made', setting('logLevel')],
    ['the system properties of the site changed since it was made', setting('systemProperties')],
    ['the serial of the apply record changed from 0 to 1', { ...binds, record: 1 }],
    ['the apply record with serial 0 is a different one', { ...binds, recorded: digest }],
    ['the version of Landform changed from landform 0.1.0 to landform 9', { ...binds, tool: 'landform 9' }],
    ['the version of the manifest schema changed from landform.dev/v1 to v2', { ...binds, schema: 'v2' }],
  ])('only one is named if only that one moved: %s', (fact, now) => {
    expect(findChangedFacts(binds, now).map(describeStaleFact)).toEqual([fact])
  })

  test('each is named if all moved', () => {
    const now: Bindings = {
      manifest: digest,
      files: { other: digest },
      origin: 'https://other.example.org',
      site: {
        state: 'ready',
        version: null,
        settings: mapSettings(() => digest),
      },
      record: 7,
      recorded: digest,
      tool: 'x',
      schema: 'y',
    }
    expect(findChangedFacts(binds, now)).toHaveLength(15)
  })
})

test('a setting has a digest if the site reported it, whatever the order of its keys', () => {
  const read = <T>(value: T) => ({ kind: 'read', value }) as const
  const told = { ...noSettings('no-token'), profile: read('development') }
  const digests = computeSettingDigests({ ...told, upgradeConfig: read({ a: 1, b: 2 }) })
  expect(digests).toEqual(computeSettingDigests({ ...told, upgradeConfig: read({ b: 2, a: 1 }) }))
  expect(digests).toEqual({
    ...mapSettings(() => null),
    upgradeConfig: expect.stringMatching(/^sha256:/),
    profile: expect.stringMatching(/^sha256:/),
  })
  expect(digests.upgradeConfig).not.toBe(
    computeSettingDigests({ ...told, upgradeConfig: read({ a: 1, b: 3 }) }).upgradeConfig,
  )
})
