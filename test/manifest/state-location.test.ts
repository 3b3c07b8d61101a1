import { containerUrl, isAzureEndpoint, parseAzureLocation } from '../../src/manifest/azure-location.js'
import {
  describeLocation,
  formatLocation,
  insertName,
  parseDeclaredLocation,
  parseStateLocation,
  redactAddress,
  stateNotation,
  suggestLocation,
} from '../../src/manifest/state-location.js'

describe('a state location', () => {
  test.each([
    ['file:.landform', { kind: 'file', folder: '.landform' }],
    ['file:/var/lib/landform', { kind: 'file', folder: '/var/lib/landform' }],
    ['git:origin', { kind: 'git', remote: 'origin' }],
    ['git:https://git.example.org/x.git', { kind: 'git', remote: 'https://git.example.org/x.git' }],
    ['git:ssh://git@git.example.org/x', { kind: 'git', remote: 'ssh://git@git.example.org/x' }],
    ['git:git@git.example.org:x', { kind: 'git', remote: 'git@git.example.org:x' }],
    ['git:../x', { kind: 'git', remote: '../x' }],
    ['git:/x', { kind: 'git', remote: '/x' }],
    ['git:C:/x', { kind: 'git', remote: 'C:/x' }],
    ['postgres:env:LANDFORM_DATABASE_URL', { kind: 'postgres', reference: 'env:LANDFORM_DATABASE_URL' }],
    ['kubernetes:gis-state', { kind: 'kubernetes', namespace: 'gis-state' }],
    ['kubernetes:admin@gis/state', { kind: 'kubernetes', context: 'admin@gis', namespace: 'state' }],
    ['kubernetes:arn:x:cluster/a/b', { kind: 'kubernetes', context: 'arn:x:cluster/a', namespace: 'b' }],
    ['postgres:file:secrets/database', { kind: 'postgres', reference: 'file:secrets/database' }],
  ] as const)('may be %s', (text, location) =>
    expect(parseStateLocation(text)).toEqual({ ok: true, value: location }),
  )

  test.each([
    ['', /not a state location/],
    ['origin', /not a state location/],
    ['gs:bucket', /not a state location/],
    ['file:', /no folder/],
    ['kubernetes:-x', /no valid namespace/],
    ['kubernetes:a/', /no valid namespace/],
    ['kubernetes:/x', /no context/],
    ['kubernetes:a\u202e/x', /control characters/],
    ['git:', /no remote/],
    ['git:-x', /dash/],
    ['git:--upload-pack=touch x', /dash/],
    ['git:ext::sh -c true', /program/],
    ['git:fd::17', /program/],
    ['git:EXT::x', /program/],
    ['git:origin\nx', /control/],
    ['git:https://some:one@git.example.org/x', /password/],
    ['git:https://canary-token@git.example.org/x', /a user/],
    ['git:HTTPS://canary/token@git.example.org/x', /a user/],
    ['git:https://git.example.org/x?private_token=canary', /a query/],
    ['git:https://git.example.org/x#canary', /a query/],
    ['git:ftp://canary@git.example.org/x', /a user/],
    ['git:ssh://git:canary@git.example.org/x', /password/],
    ['postgres:postgres://user:secret@db/x', /must refer to the connection string/],
    ['postgres:env:HOME', /LANDFORM_/],
    ['postgres:file:/etc/passwd', /absolute/],
    ['postgres:file:../x', /leaves/],
  ])('may not be %j', (text, problem) => {
    const parsed = parseStateLocation(text)
    expect(parsed.ok ? 'fits' : parsed.error).toMatch(problem)
    expect(`${describeLocation(text)} ${parsed.ok || parsed.error}`).not.toContain('canary')
  })

  test.each([
    ['https://canary@h.example/x.git', 'https://***@h.example/x.git'],
    [
      "could not read from 'https://some:canary@h.example/x': no",
      "could not read from 'https://***@h.example/x': no",
    ],
    [
      "unable to access 'https://canary/token@h.example/x.git/': Could not resolve host: canary",
      "unable to access 'https://***@h.example/x.git/': Could not resolve host: ***",
    ],
    [
      "unable to access 'http://h.example/x.git?private_token=canary/': Failed",
      "unable to access 'http://h.example/x.git?*** Failed",
    ],
    ['https://h.example/x#canary and https://h.example/y', 'https://h.example/x?*** and https://h.example/y'],
    ['git@h.example:x', 'git@h.example:x'],
  ])('%j is shown without possible credentials', (text, shown) => {
    expect(redactAddress(text)).toContain(shown)
    expect(redactAddress(text)).not.toContain('canary')
  })

  test.each(['git:https://git.example.org/x.git', 'git:../x', 'git:/x', 'git:git@git.example.org:x'])(
    'in a manifest may not be %s, which would decide where git connects to',
    text => {
      const parsed = parseDeclaredLocation(text)
      expect(parsed.ok ? 'fits' : parsed.error).toMatch(/remote of the clone/)
    },
  )

  test('in a manifest names no file with a connection string, which would choose the server', () => {
    expect(parseDeclaredLocation('postgres:env:LANDFORM_DATABASE_URL').ok).toBe(true)
    expect(parseDeclaredLocation('postgres:file:database')).toEqual({
      ok: false,
      error: expect.stringMatching(/name a variable, such as .*, or pass `--state`$/),
    })
  })

  test('in a manifest may contain the name of the site', () => {
    expect(parseDeclaredLocation(insertName('file:/var/lib/{name}/{name}', 'production'))).toEqual({
      ok: true,
      value: { kind: 'file', folder: '/var/lib/production/production' },
    })
  })
})

test.each([
  ['s3://bucket/prefix', 'write `s3:bucket/prefix`'],
  ['S3:bucket', 'write `s3:bucket`'],
  ['s3:Bucket', 'use s3:BUCKET/PREFIX'],
  ['azurerm:account/state', 'write `azblob:account/state`'],
  ['https://account.blob.core.windows.net/state', 'use azblob:ACCOUNT/CONTAINER/PREFIX'],
  ['abfss://state@account.dfs.core.windows.net/x', 'use azblob:ACCOUNT/CONTAINER/PREFIX'],
  ['origin', 'write `git:origin`'],
  ['git:https://git.example.org/a.git', 'use git:REMOTE, a remote of the clone such as git:origin'],
  ['https://git.example.org/a.git', 'use git:REMOTE, a remote of the clone such as git:origin'],
  ['git@git.example.org:a/b.git', 'use git:REMOTE, a remote of the clone such as git:origin'],
  ['./state', 'write `file:./state`'],
  ['/var/lib/state', 'write `file:/var/lib/state`'],
  ['file://state', 'write `file:state`'],
  ['kubernetes://production/gis', 'write `kubernetes:production/gis`'],
  ['k8s:gis', 'write `kubernetes:gis`'],
  ['postgresql://user:canary@host/db', 'use postgres:env:NAME or postgres:file:PATH'],
  ['production/gis', `use ${stateNotation}`],
])('%s is invalid, with the help: %s', (text, help) => {
  expect([parseDeclaredLocation(text).ok, suggestLocation(text)]).toEqual([false, help])
})

describe('a location in object storage', () => {
  test.each([
    ['s3:bucket', { bucket: 'bucket', prefix: '' }],
    ['s3:my.bucket-1/sites/production', { bucket: 'my.bucket-1', prefix: 'sites/production' }],
    ['s3:bucket/a?region=eu-central-1', { bucket: 'bucket', prefix: 'a', region: 'eu-central-1' }],
    [
      's3:bucket?region=x-1&endpoint=https://s3.example.org:9000',
      { bucket: 'bucket', prefix: '', region: 'x-1', endpoint: 'https://s3.example.org:9000' },
    ],
    [
      's3:bucket?endpoint=http://127.0.0.1:9000',
      { bucket: 'bucket', prefix: '', endpoint: 'http://127.0.0.1:9000' },
    ],
  ])('may be %s, and has one spelling', (text, location) => {
    const parsed = parseStateLocation(text)
    expect(parsed).toEqual({ ok: true, value: { kind: 's3', ...location } })
    expect(parsed.ok && formatLocation(parsed.value)).toBe(text)
  })

  test.each([
    ['s3:', /no bucket/],
    ['s3:/prefix', /no bucket/],
    ['s3:Bucket', /lower-case/],
    ['s3:ab', /3 to 63/],
    ['s3:a..b', /no valid bucket/],
    ['s3:bucket/', /invalid prefix/],
    ['s3:bucket//a', /invalid prefix/],
    ['s3:bucket/a/', /invalid prefix/],
    ['s3:bucket/../a', /invalid prefix/],
    ['s3:bucket/a b', /invalid prefix/],
    ['s3:bucket?Region=x', /parameter other than/],
    ['s3:bucket?access_key=AKIA', /parameter other than/],
    ['s3:bucket?', /parameter other than/],
    ['s3:bucket?region=a&region=b', /twice/],
    ['s3:bucket?region=', /no valid region/],
    // Each of these would become part of a host name: `sts.s3.amazonaws.com` is somebody's bucket.
    ['s3:bucket?region=s3', /no valid region/],
    ['s3:bucket?region=eu-west-1.evil.example/', /no valid region/],
    ['s3:bucket?region=x@evil.example', /no valid region/],
    ['s3:bucket@evil.example', /no valid bucket/],
    ['s3:evil.example:443', /no valid bucket/],
    ['s3:bucket?endpoint=https://s3.example.org&region=evil.example', /no valid region/],
    ['s3:bucket?endpoint=x', /not a URL/],
    ['s3:bucket?endpoint=http://s3.example.org', /without https/],
    ['s3:bucket?endpoint=https://key:secret@s3.example.org', /user name or password/],
    ['s3:bucket?endpoint=https://s3.example.org/path', /more than/],
    ['s3:bucket?endpoint=https://S3.example.org', /lower-case host/],
  ])('that is %s is rejected with an explanation', (text, problem) => {
    const parsed = parseStateLocation(text)
    expect(parsed.ok ? 'ok' : parsed.error).toMatch(problem)
  })

  test('in a manifest may contain the name of the site', () => {
    expect(parseDeclaredLocation(insertName('s3:bucket/{name}', 'production'))).toMatchObject({
      ok: true,
      value: { prefix: 'production' },
    })
  })

  test('is not quoted if it may contain a password', () => {
    expect(describeLocation('s3:bucket?endpoint=https://key:secret@s3.example.org')).toBe('the S3 location')
    expect(describeLocation('s3:Bucket')).toBe('`s3:Bucket`')
  })
})

describe('a location in Azure', () => {
  const account = { account: 'account', container: 'state' }
  test.each([
    ['azblob:account/state', { ...account, prefix: '' }, 'https://account.blob.core.windows.net/state'],
    [
      'azblob:account/state/sites/a',
      { ...account, prefix: 'sites/a' },
      'https://account.blob.core.windows.net/state',
    ],
    [
      'azblob:account/state?endpoint=https://account.blob.core.usgovcloudapi.net',
      { ...account, prefix: '', endpoint: 'https://account.blob.core.usgovcloudapi.net' },
      'https://account.blob.core.usgovcloudapi.net/state',
    ],
    [
      'azblob:account/state/a?endpoint=https://127.0.0.1:10000',
      { ...account, prefix: 'a', endpoint: 'https://127.0.0.1:10000' },
      'https://127.0.0.1:10000/account/state',
    ],
    [
      'azblob:account/state?endpoint=https://account.blob.local.azurestack.external',
      { ...account, prefix: '', endpoint: 'https://account.blob.local.azurestack.external' },
      'https://account.blob.local.azurestack.external/state',
    ],
  ])('may be %s, and has one spelling', (text, location, url) => {
    const parsed = parseAzureLocation(text.slice('azblob:'.length))
    expect(parsed).toEqual({ ok: true, value: { kind: 'azblob', ...location } })
    expect(parsed.ok && [formatLocation(parsed.value), containerUrl(parsed.value)]).toEqual([text, url])
  })

  test('has no endpoint if that is the default one', () => {
    const parsed = parseStateLocation('azblob:account/state?endpoint=https://account.blob.core.windows.net/')
    expect(parsed.ok && formatLocation(parsed.value)).toBe('azblob:account/state')
  })

  test.each([
    ['azblob:', /no storage account/],
    ['azblob:account', /no container/],
    ['azblob:Account/state', /3 to 24 lower-case/],
    ['azblob:account.evil.example/state', /no valid storage account/],
    ['azblob:account@evil.example/state', /no valid storage account/],
    ['azblob:account/st', /3 to 63/],
    ['azblob:account/a--b', /single hyphens/],
    ['azblob:account/state/', /invalid prefix/],
    ['azblob:account/state/../a', /invalid prefix/],
    ['azblob:account/state?sv=2022&sig=canary', /^has a parameter other than `endpoint`$/],
    ['azblob:account/state?endpoint=http://account.blob.core.windows.net', /without https/],
    ['azblob:account/state?endpoint=https://other.blob.core.windows.net', /another account/],
  ])('that is %s is rejected with an explanation', (text, problem) => {
    const parsed = parseStateLocation(text)
    expect(parsed.ok ? 'ok' : parsed.error).toMatch(problem)
  })

  test.each([
    ['https://account.blob.core.windows.net', true],
    ['https://account.blob.core.usgovcloudapi.net', true],
    ['https://account.blob.core.chinacloudapi.cn', true],
    ['https://account.z07.blob.storage.azure.net', true],
    ['https://account.blob.core.windows.net:8443', false],
    ['https://account.blob.core.windows.net.evil.example', false],
    ['https://account.evil.example', false],
    ['https://a.account.blob.core.windows.net', false],
    ['https://account.blob.core.windows.example', false],
    ['https://accountxblob.core.windows.net', false],
    ['http://127.0.0.1:10000', false],
  ])('at %s is served by Azure: %s', (endpoint, isAzure) => {
    expect(isAzureEndpoint(endpoint)).toBe(isAzure)
  })

  test('is not quoted if it may contain a signature', () => {
    expect(describeLocation('azblob:account/state?sv=2022&sig=canary')).toBe('the Azure location')
    expect(describeLocation('azblob:Account/state')).toBe('`azblob:Account/state`')
  })
})
