import { deliver } from '../../../src/emulator/faults/meet.js'
import { parseQuery } from '../../../src/emulator/http/read-body.js'
import { redactRequest } from '../../../src/emulator/log/redact-request.js'
import type { RecordedParameter } from '../../../src/emulator/log/request-log.js'
import type { OperationTarget, ParsedBody } from '../../../src/emulator/service/request.js'
import { route } from '../../../src/emulator/service/route.js'
import { newWorld } from '../../../src/emulator/service/world.js'
import { begin, configureValues, partsOf, type Values } from '../service/builders.js'

const site = '/base/admin'

interface Sent {
  readonly target?: OperationTarget
  readonly values?: Values
  readonly query?: string
  readonly path?: string
  readonly contentType?: string
  readonly encoding?: 'form' | 'multipart'
}

/** The record of a request after the response of the service. */
function kept({
  target = { operation: 'configure' },
  values = {},
  query = '',
  path = '/configure',
  ...rest
}: Sent) {
  const { contentType = 'multipart/form-data; boundary=hunter2', encoding = 'multipart' } = rest
  const body: ParsedBody = { encoding, parts: partsOf(values) }
  const request = { method: 'POST', target, query: parseQuery(query), body }
  const [, delivery] = deliver(newWorld(), { request, fault: undefined, now: begin, route })
  const received = { request, path, contentType }
  return redactRequest({ at: begin, site, received, delivery, fault: undefined })
}

const parameter = (sent: Sent, name: string): RecordedParameter | undefined =>
  kept(sent).parameters.find(one => one.name === name)

const cloud = (more: object) =>
  JSON.stringify([
    {
      name: 'AWS',
      credential: { type: 'ACCESS-KEY', secret: { secret_key: 'hunter2', access_key: 'hunter2' } },
      cloudServices: [
        { name: 'AWS S3', connection: { bucket_name: 'objects', region: 'eu', rootDir: 'prod' } },
      ],
      ...more,
    },
  ])

describe('a secret is not recorded', () => {
  const exportSite: OperationTarget = { operation: 'exportSite' }
  const secret = 'hunter2'
  test.each<[string, Sent]>([
    ['a password that is sent twice', { values: { password: [secret, `${secret}-1`] } }],
    ['a password that is sent as a file', { values: { password: Buffer.from(secret) } }],
    ['a license that is sent as text', { values: { licenseFile: secret, serverLicenseFile: secret } }],
    [
      'the rest of a text after a URL',
      { target: exportSite, values: { location: `https://a.example/c?${secret}` } },
    ],
    [
      'a name and password in a URL',
      { target: exportSite, values: { location: `smb://me:${secret}@files/x` } },
    ],
    ['a key in a text', { values: { description: `AccountKey=${secret};x` } }],
    [
      'keys of cloud storage in the wrong place',
      { values: { cloudConfig: cloud({ secretKey: secret, [secret]: 1 }) } },
    ],
    ['keys of cloud storage as its only text', { values: { cloudConfig: JSON.stringify(secret) } }],
    ['cloud storage that is not JSON', { values: { cloudConfig: `{"secret_key":"${secret}"` } }],
    [
      "a system property with a name like a secret's",
      { values: { systemProperties: JSON.stringify({ a: { proxyPassword: secret } }) } },
    ],
    ['a value in the URL', { query: `f=${secret}&username=${secret}&token=${secret}` }],
    ['an unknown file', { values: { other: Buffer.from(secret) } }],
    ['a body that is not a form', { encoding: 'form', values: { [secret]: '' } }],
    [
      'the name of a service',
      { target: { operation: 'deleteAll', service: secret }, path: `/services/${secret}/webhooks/deleteAll` },
    ],
  ])('%s', (_what, sent) => {
    expect(JSON.stringify(kept(sent))).not.toContain(secret)
  })
})

describe('a value that is not secret is recorded', () => {
  test.each<[string, Sent, Record<string, unknown>]>([
    ['username', { values: { username: 'siteadmin' } }, { kind: 'value', value: 'siteadmin', bytes: 9 }],
    [
      'logSettings',
      { values: { logSettings: '{"logLevel":"INFO"}' } },
      { value: { logLevel: 'INFO' }, bytes: 19 },
    ],
    [
      'licenseFile',
      { values: { licenseFile: new Uint8Array(5) } },
      { kind: 'file', fileName: 'licenseFile.bin', contentType: 'application/octet-stream', bytes: 5 },
    ],
    ['password', { values: { password: 'hunter2' } }, { kind: 'hidden', why: 'secret', bytes: 7 }],
    ['f', { query: 'f=pjson' }, { kind: 'value', value: 'pjson' }],
    [
      'cloudConfig',
      { values: { cloudConfig: cloud({}) } },
      {
        value: [
          {
            name: 'AWS',
            credential: { type: 'ACCESS-KEY', secret: '[hidden]' },
            cloudServices: [
              { name: 'AWS S3', connection: { bucket_name: 'objects', region: 'eu', rootDir: 'prod' } },
            ],
          },
        ],
      },
    ],
  ])('%s', (name, sent, expected) => {
    expect(parameter(sent, name)).toMatchObject(expected)
  })

  test('a placement policy, although its fields are named key', () => {
    const policy = {
      podPlacementPolicy: { nodeAffinity: {}, tolerations: [{ key: 'pool', operator: 'Exists' }] },
    }
    const values = { upgradeConfig: JSON.stringify(policy) }
    expect(parameter({ target: { operation: 'update' }, values }, 'upgradeConfig')).toMatchObject({
      value: policy,
    })
  })

  test('the sentence of a rejection, without its quotations', () => {
    expect(kept({ values: { ...configureValues(), username: 'ab' } })).toMatchObject({
      accepted: false,
      httpStatus: 200,
      problem: 'username must have at least 6 characters.',
    })
    expect(kept({ values: { hunter2: '' } }).problem).toBe('The parameter "…" is unknown.')
  })

  test('the path of a service, and the words of a path that the service has', () => {
    const target = { operation: 'deleteAll', service: 'Roads.GPServer' } as const
    expect(kept({ target, path: '/services/Roads.GPServer/webhooks/deleteAll' }).path).toBe(
      '/services/Roads.GPServer/webhooks/deleteAll',
    )
    expect(kept({ target: { operation: 'unknown' }, path: '/base/admin/sistem/upgrades' }).path).toBe(
      '/base/admin/…/upgrades',
    )
  })
})

describe('only a part of a large request is recorded', () => {
  test('a long text is truncated, with its length', () => {
    const value = parameter({ values: { description: 'x'.repeat(10_000) } }, 'description')
    expect(value).toMatchObject({ value: `${'x'.repeat(200)}… (10000 characters)`, bytes: 10_000 })
  })

  test.each([
    [
      'wide',
      JSON.stringify(Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`n${index}`, 'x']))),
    ],
    ['long', JSON.stringify(Array.from({ length: 5000 }, () => 'x'.repeat(500)))],
    ['deep', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
  ])('a %s value', (_what, text) => {
    for (const name of ['systemProperties', 'cloudConfig']) {
      const value = parameter({ values: { [name]: text } }, name)
      expect(value).toMatchObject({ kind: 'value', bytes: text.length })
      expect(JSON.stringify(value).length).toBeLessThan(5000)
    }
  })

  test('forty parameters are recorded and the others counted', () => {
    const values = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`p${index}`, '']))
    const { parameters, more } = kept({ values })
    expect([parameters.length, more]).toEqual([40, 60])
  })
})
