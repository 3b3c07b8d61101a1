import { decodeRoot } from '../../src/client/decode-root.js'
import { readInventory } from '../../src/client/read-inventory.js'
import { siteReader } from '../../src/client/site-reader.js'
import { otherReadings, readings, type SettingName, settingReadings } from '../../src/contract/readings.js'
import type { ServiceVersion } from '../../src/contract/versions.js'
import { newWorld } from '../../src/emulator/service/world.js'
import { noSettings } from '../../src/plan/observation.js'
import type { JsonObject, JsonValue } from '../../src/schema/json-schema.js'
import { listMembers } from '../../src/schema/select.js'
import { aGet } from '../emulator/field/builders.js'
import { aConfigure, after, ask, begin } from '../emulator/service/builders.js'
import { json } from '../support/http-double.js'
import { printedAnswers } from '../support/printed-site.js'
import { siteOfSettings } from '../support/site-of-settings.js'

const { signal } = new AbortController()

/** The value of each response, as the vendor's page prints it. */
const values: Readonly<Record<SettingName, unknown>> = {
  upgradeConfig: { podPlacementPolicy: { nodeAffinity: {}, tolerations: [] } },
  profile: 'standard-availability',
  availability: 'standard',
  performance: 'standard',
  logLevel: 'INFO',
  systemProperties: {},
  cloudStorage: [
    {
      name: 'AWS',
      credential: { type: 'IAM-ROLE' },
      cloudServices: [
        {
          name: 'AWS S3',
          type: 'objectStore',
          usage: 'DEFAULT',
          category: 'storage',
          connection: { bucketName: 'gis-objects', region: 'eu-west-1', rootDir: 'prod' },
        },
      ],
    },
  ],
}

const others: Readonly<Record<keyof typeof otherReadings, () => Promise<unknown>>> = {
  async root() {
    const bytes = Buffer.from(JSON.stringify(otherReadings.root.printed))
    expect(decodeRoot({ status: 200, bytes } as Parameters<typeof decodeRoot>[0])).toMatchObject({
      value: { kind: 'ready', version: '11.5.0', build: '7000' },
    })
  },
  async upgrades() {
    const running = { status: { ...otherReadings.upgrades.printed.status, state: 'in_progress' } }
    for (const [answer, because] of [
      [otherReadings.upgrades.printed, 'not-offered'],
      [running, 'upgrading'],
    ] as const) {
      const site = await siteOfSettings({ upgrades: json(answer) })
      const { upgradeConfig } = await siteReader(site.url).settings(signal)
      expect(upgradeConfig).toEqual({ kind: 'unreadable', because })
    }
  },
  async dataStores() {
    const asked: string[] = []
    const inventory = await readInventory(async path => {
      asked.push(path)
      return path === '/data'
        ? { kind: 'read', value: otherReadings.dataStores.printed as unknown as JsonObject }
        : { kind: 'unreadable', because: 'not-offered' }
    }, signal)
    expect(inventory).toMatchObject({ dataStores: [], otherStores: 1, volumes: {} })
    expect(asked).toEqual([
      '/data',
      '/data/41c0/config/volumes',
      '/data/41c0/config/placementPolicy',
      '/data/ab12/config/volumes',
      '/data/ab12/config/placementPolicy',
    ])
  },
  // No page prints a response for it; `read-inventory.test.ts` reads the structure of Service §2.4.
  volumes: async () => undefined,
  placementPolicy: async () => undefined,
}

test.each(Object.keys(settingReadings) as SettingName[])('the printed response of %s is read', async name => {
  const site = await siteOfSettings({ [name]: json(settingReadings[name].printed) })
  const settings = await siteReader(site.url).settings(signal)
  expect(settings).toEqual({ ...noSettings('not-offered'), [name]: { kind: 'read', value: values[name] } })
})

test.each(Object.entries(others))('the printed response of %s is read', (_name, read) => read())

/** The member names of a response, including those of the first element of each list. */
function listShape(value: JsonValue, at = ''): readonly string[] {
  const members = Array.isArray(value) ? listMembers(value).slice(0, 1) : listMembers(value)
  return members.flatMap(([name, member]) => [`${at}/${name}`, ...listShape(member, `${at}/${name}`)]).sort()
}

const shapeOf = (value: unknown) => listShape(JSON.parse(JSON.stringify(value)))

test('the rows have the members of the printed responses', () => {
  for (const [path, answer] of Object.entries(printedAnswers)) {
    const row = Object.values(readings).find(one => one.path === path)
    expect([path, shapeOf(row?.printed)]).toEqual([path, shapeOf(answer)])
  }
})

const cloudConfig = JSON.stringify([
  {
    name: 'AWS',
    credential: { type: 'IAM-ROLE' },
    cloudServices: [
      {
        name: 'AWS S3',
        type: 'objectStore',
        usage: 'DEFAULT',
        category: 'storage',
        connection: { bucketName: 'gis-objects', region: 'eu-west-1', rootDir: 'prod' },
      },
    ],
  },
])

test.each(Object.entries(readings).filter(([name, { printed }]) => printed !== null && name !== 'root'))(
  'the emulator with field fidelity responds as the page of %s prints',
  (_name, { path, since, printed, until }) => {
    const version: ServiceVersion = since === '12.1' ? '12.1' : '11.2'
    const world = newWorld({ stageMs: 100, fidelity: 'field', version })
    const site = after(world, begin, aConfigure({ cloudConfig }))
    const { httpStatus, body } = ask(site, aGet(path))
    expect([httpStatus, shapeOf(body)]).toEqual([200, shapeOf(printed)])
    if (until !== undefined) {
      const later = newWorld({ stageMs: 100, fidelity: 'field', version: until })
      expect(ask(after(later, begin, aConfigure()), aGet(path)).httpStatus).toBe(404)
    }
  },
)
