import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describeStateReason } from '../../src/report/state-reasons.js'
import { tool } from '../../src/version.js'
import { httpDouble, json } from '../support/http-double.js'
import { s3Place } from '../support/s3-place.js'
import { type S3Faults, type S3Server, s3Server } from '../support/s3-server.js'
import { removeTemporaryFolders, temporaryFolder } from '../support/temporary-folder.js'

const site = 'https://gis.example.org/arcgis/admin'
const first = { serial: 1, text: '{"n":1}' }
const second = { serial: 2, text: '{"n":2}' }
const made = { ok: true, value: true }
const failure = (kind: string, cause: string | number) => ({
  ok: false,
  error: { kind, reason: { kind: 's3', cause } },
})

const servers: S3Server[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
  await removeTemporaryFolders()
})

async function serve(faults: S3Faults = {}): Promise<S3Server> {
  const server = await s3Server(faults)
  servers.push(server)
  return server
}

describe('a server of object storage', () => {
  test('that confirms everything after the probe is detected by reading back', async () => {
    const server = await serve()
    const theirs = s3Place(server)
    expect(await theirs.series(`${site}/other`).add(first)).toEqual(made)
    expect(await s3Place(server).series(site).add(first)).toEqual(made)
    server.faults.confirmsAll = true
    expect(await theirs.series(site).add(first)).toMatchObject(failure('unwritable', 'ignores-conditions'))
  })

  test('has an address for the notes of a machine', async () => {
    const server = await serve()
    expect(await s3Place(server).address?.()).toMatch(new RegExp(`^${server.url}/`))
  })

  test('is probed once in a run, and keeps one object for that', async () => {
    const server = await serve()
    for (const run of [1, 2]) {
      const series = s3Place(server).series(`${site}/${run}`)
      expect(await series.add(first)).toEqual(made)
      expect(await series.add(second)).toEqual(made)
    }
    const probes = server.requests.filter(line => /PUT .*probe/.test(line))
    expect(probes).toHaveLength(3)
    expect([...server.objects.keys()].filter(key => key.includes('probe'))).toHaveLength(1)
  })

  test('that supports no conditions is rejected', async () => {
    const server = await serve({ answers: { status: 501, code: 'NotImplemented', times: 1 } })
    expect(await s3Place(server).series(site).add(first)).toMatchObject(
      failure('unwritable', 'no-conditions'),
    )
  })

  test.each([
    ['a version that is too large', 'too-large'],
    ['a new version beyond the quota', 'full'],
    ['an account that is suspended', 'access-denied'],
    ['a new version in a bucket that does not exist', 'no-bucket'],
  ])('is understood if it rejects %s', async (recorded, cause) => {
    const server = await serve({ answers: { recorded, times: 1 } })
    expect(await s3Place(server).series(site).add(first)).toMatchObject(failure('unwritable', cause))
  })

  test('is not trusted if a version is missing', async () => {
    const server = await serve()
    const series = s3Place(server).series(site)
    for (const serial of [1, 2, 3]) await series.add({ serial, text: `${serial}` })
    const remove = (serial: number) => {
      for (const key of server.objects.keys()) if (key.endsWith(`${serial}.json`)) server.objects.delete(key)
    }
    const damaged = { ok: false, error: { kind: 'damaged' } }
    remove(3)
    expect(await series.newest()).toMatchObject(damaged)
    remove(1)
    expect(await s3Place(server).series(site).all()).toMatchObject(damaged)
  })

  test('may be busy for a moment', async () => {
    const server = await serve()
    const series = s3Place(server).series(site)
    for (const answers of [
      { recorded: 'too many requests', times: 1 },
      { status: 409, code: 'ConditionalRequestConflict', times: 1 },
      { status: 502, body: '<html>', times: 1 },
    ]) {
      server.faults.answers = answers
      expect(await series.newest()).toEqual({ ok: true, value: undefined })
    }
  })

  test.each<[number, string | undefined, string | number]>([
    [403, 'ExpiredToken', 'expired-credentials'],
    [404, undefined, 'not-object-storage'],
    [200, undefined, 'not-object-storage'],
  ])('that responds with %d %s does not count as an empty one', async (status, code, cause) => {
    const server = await serve({
      answers: { status, ...(code === undefined ? { body: '<html>' } : { code }), times: 1 },
    })
    const reply = await s3Place(server).series(site).newest()
    expect(reply).toMatchObject(failure('unreadable', cause))
    const words = reply.ok ? '' : describeStateReason(reply.error.reason)
    expect(words).not.toContain(server.environment['AWS_ACCESS_KEY_ID'])
    expect(words).not.toContain(server.environment['AWS_SECRET_ACCESS_KEY'])
  })
})

test.each([undefined, 'NoSuchBucket'])(
  'a 404 with %s does not mean that an object is missing',
  async code => {
    const server = await serve()
    const series = s3Place(server).series(site)
    expect(await series.add(first)).toEqual(made)
    server.faults.answers = { status: 404, ...(code === undefined ? { body: '<html>' } : { code }), times: 1 }
    expect(await series.newest()).toMatchObject({ ok: false, error: { kind: 'unreadable' } })
  },
)

describe('the credentials', () => {
  const reasonWith = async (changes: Record<string, string | undefined>) => {
    const server = await serve()
    const entries = Object.entries({ ...server.environment, ...changes })
    const environment = Object.fromEntries(entries.flatMap(([name, value]) => (value ? [[name, value]] : [])))
    const reply = await s3Place(server, environment as Record<string, string>)
      .series(site)
      .newest()
    return reply.ok ? 'ok' : reply.error.reason
  }

  test.each<[string, Record<string, string | undefined>, string]>([
    ['no region', { AWS_REGION: undefined }, 'no-region'],
    ['another region', { AWS_REGION: 'us-test-2' }, 'other-region'],
    ['no key', { AWS_ACCESS_KEY_ID: undefined }, 'no-credentials'],
    ['another key', { AWS_ACCESS_KEY_ID: 'AKOTHER' }, 'wrong-credentials'],
    ['another secret', { AWS_SECRET_ACCESS_KEY: 'other' }, 'wrong-credentials'],
    ['an expired session', { AWS_SESSION_TOKEN: 'former' }, 'expired-credentials'],
  ])('that differ from those of the server are named: %s', async (_what, changes, cause) => {
    expect(await reasonWith(changes)).toMatchObject({ kind: 's3', cause })
  })

  test('may be those of a role, for which a web identity token is exchanged once', async () => {
    const server = await serve()
    const file = join(await temporaryFolder(), 'token')
    await writeFile(file, 'token-of-a-workload\n')
    const environment = {
      AWS_REGION: 'eu-test-1',
      AWS_ROLE_ARN: 'arn:aws:iam::1:role/landform',
      AWS_WEB_IDENTITY_TOKEN_FILE: file,
      AWS_ENDPOINT_URL_STS: `${server.url}/sts`,
    }
    const series = s3Place(server, environment).series(site)
    expect(await series.add(first)).toEqual(made)
    expect(await series.newest()).toEqual({ ok: true, value: first })
    expect(server.requests.filter(line => line === 'POST /sts/')).toHaveLength(1)
    const newest = (changes: object) =>
      s3Place(server, { ...environment, ...changes })
        .series(site)
        .newest()
    expect(await newest({ AWS_ROLE_ARN: 'arn:aws:iam::1:role/other' })).toMatchObject(
      failure('unreadable', 'role-denied'),
    )
    expect(await newest({ AWS_WEB_IDENTITY_TOKEN_FILE: `${file}.gone` })).toMatchObject(
      failure('unreadable', 'no-token-file'),
    )
    // A token is sent to another machine only with TLS.
    expect(await newest({ AWS_ENDPOINT_URL_STS: 'http://sts.example.org' })).toMatchObject(
      failure('unreadable', 'role-denied'),
    )
  })

  describe('from the files of the AWS tools', () => {
    /** A home folder with these files, and an `aws` that prints the credentials of the server. */
    async function aHome(files: Readonly<Record<string, string>>, printed = '', exitCode = 0) {
      const server = await serve()
      const home = await temporaryFolder()
      for (const name of ['.aws', 'bin']) await mkdir(join(home, name))
      for (const [name, text] of Object.entries(files)) await writeFile(join(home, '.aws', name), text)
      if (printed !== '') {
        await writeFile(join(home, 'printed'), printed)
        const script = `#!/bin/sh\necho "$*" >> ${home}/calls\ncat ${home}/printed\nexit ${exitCode}\n`
        await writeFile(join(home, 'bin', 'aws'), script, { mode: 0o700 })
      }
      const newest = (environment: Readonly<Record<string, string>>) =>
        s3Place(server, { HOME: home, PATH: `${join(home, 'bin')}:/usr/bin:/bin`, ...environment })
          .series(site)
          .newest()
      const calls = async () => (await readFile(join(home, 'calls'), 'utf8')).trimEnd().split('\n')
      return { server, newest, calls }
    }
    const empty = { ok: true, value: undefined }
    const keys = [
      'aws_access_key_id = AKIDOFATEST',
      'aws_secret_access_key=secret-of-a-test/+=',
      'aws_session_token = session-of-a-test==',
    ].join('\n')
    const printed = (expires: string) =>
      JSON.stringify({
        Version: 1,
        AccessKeyId: 'AKIDOFATEST',
        SecretAccessKey: 'secret-of-a-test/+=',
        SessionToken: 'session-of-a-test==',
        Expiration: expires,
      })
    const region = 'region = eu-test-1\n'

    test.each<[string, Readonly<Record<string, string>>, Readonly<Record<string, string>>]>([
      ['the default profile', { credentials: `[default]\n${keys}`, config: `[default]\n${region}` }, {}],
      [
        'a named profile',
        {
          credentials: `[default]\nx=y\n[work]\n${keys}`,
          config: `[profile work]\n${region}s3 =\n  region = none\n`,
        },
        { AWS_PROFILE: 'work' },
      ],
      ['all in the config', { config: `[profile work]\n${region}${keys}` }, { AWS_PROFILE: 'work' }],
    ])('uses the keys and the region of %s', async (_, files, environment) => {
      const { newest } = await aHome(files)
      expect(await newest(environment)).toEqual(empty)
    })

    test.each(['role_arn = arn:x\nsource_profile = default', 'sso_session = work', 'credential_process = x'])(
      "runs the user's program for a profile with %s",
      async how => {
        const { newest, calls } = await aHome(
          { config: `[profile work]\n${region}${how}\n` },
          printed('2999-01-01T00:00:00Z'),
        )
        expect(await newest({ AWS_PROFILE: 'work', LANDFORM_TOKEN: 'canary' })).toEqual(empty)
        expect(await calls()).toEqual(['configure export-credentials --format process --profile work'])
      },
    )

    test.each([
      ['is not installed', '', 0, 'not-found'],
      ['has no session', '{}', 255, 'exit code 255'],
      ['prints no credentials', '{}', 0, 'no-keys'],
    ])('reports that the program %s', async (_, text, exitCode, said) => {
      const { newest } = await aHome({ config: `[profile work]\n${region}sso_session = x\n` }, text, exitCode)
      const reply = await newest({ AWS_PROFILE: 'work', ...(text === '' && { PATH: '/nowhere' }) })
      expect(reply).toMatchObject(failure('unreadable', 'no-profile-credentials'))
      const words = reply.ok ? '' : describeStateReason(reply.error.reason)
      expect(words).toContain(text === '' ? 'not-found' : said)
    })

    test("uses those of a container's endpoint, with its token", async () => {
      const { newest } = await aHome({ config: `[default]\n${region}` })
      const { SessionToken, ...others } = JSON.parse(printed('2999-01-01T00:00:00Z'))
      const endpoint = await httpDouble([{ reply: json({ ...others, Token: SessionToken }) }])
      const address = `http://${endpoint.host}/v1`
      const token = join(await temporaryFolder(), 'token')
      await writeFile(token, 'token-of-a-pod\n')
      const environment = {
        AWS_CONTAINER_CREDENTIALS_FULL_URI: address,
        AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: token,
      }
      expect(await newest(environment)).toEqual(empty)
      const heads = endpoint.requests.map(({ head }) => head.toLowerCase())
      expect(heads).toEqual([expect.stringContaining('\r\nauthorization: token-of-a-pod\r\n')])
      expect(`${heads}\r\n`).toContain(`\r\nuser-agent: ${tool}\r\n`)
      await endpoint.close()
      const gone = await newest(environment)
      expect(gone).toMatchObject(failure('unreadable', 'no-container-credentials'))
      const elsewhere = { AWS_CONTAINER_CREDENTIALS_FULL_URI: 'http://example.org/v1' }
      expect(await newest(elsewhere)).toMatchObject(failure('unreadable', 'no-container-credentials'))
    })

    test('names every source that was tried, in order', async () => {
      const { newest } = await aHome({ config: `[default]\n${region}` })
      const reply = await newest({})
      expect(reply.ok ? '' : describeStateReason(reply.error.reason)).toMatch(
        /AWS_ACCESS_KEY_ID.*AWS_WEB_IDENTITY_TOKEN_FILE.*AWS_PROFILE.*AWS_CONTAINER_CREDENTIALS/,
      )
    })
  })
})
