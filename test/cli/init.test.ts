import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { questions } from '../../src/cli/init/questions.js'
import { run } from '../../src/cli/run.js'
import { serverLicensePart } from '../../src/contract/field-notes.js'
import { fields } from '../../src/contract/fields.js'
import { exitCodes } from '../../src/report/exit-code.js'
import { readLastSegment } from '../../src/schema/pointer.js'
import { anEmulator } from '../support/emulator.js'
import { type FakeHostOptions, fakeHost } from '../support/fake-host.js'
import { landform } from '../support/landform.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const origin = 'https://gis.example.org'
const required = ['--name', 'production', '--url', `${origin}/arcgis/admin`, '--email', 'admin@example.org']
/** The options for a manifest without placeholders. */
const complete = [...required, '--storage-class', 'gp3']

async function init(args: readonly string[], options: FakeHostOptions = {}) {
  const host = fakeHost(options)
  return { exitCode: await run(['init', ...args], host), host }
}

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()

describe('without a person to ask', () => {
  test('writes a manifest that passes validate without any output, and a schema if there is none', async () => {
    const folder = await temporaryFolder()
    const file = join(folder, 'site.yaml')
    const { exitCode, host } = await init([file, ...complete])
    expect([exitCode, host.out()]).toEqual([exitCodes.done, ''])
    expect(filesIn(folder)).toEqual(['schemas/deployment.schema.json', 'site.yaml'])
    expect(readFileSync(file, 'utf8')).toMatch(
      /^# yaml-language-server: \$schema=schemas\/deployment\.schema\.json\n/,
    )
    const checking = fakeHost()
    expect(await run(['validate', file, '--fail-on', 'warning'], checking)).toBe(exitCodes.done)
    expect(checking.screen()).toBe('1 file, 0 errors, 0 warnings\n')
  })

  test.each([
    [
      '11.5',
      'azure',
      'USER-ASSIGNED-IDENTITY',
      ['--client-id', '00000000-0000-0000-0000-000000000000', '--storage-account', 'gis'],
    ],
    ['12.0', 'azure', 'SYSTEM-ASSIGNED-IDENTITY', ['--storage-account', 'gis']],
    ['11.3', 'aws', 'ACCESS-KEY', ['--region', 'eu-west-1']],
    ['12.0', 'gcp', 'HMAC-KEYS', []],
  ])('writes a manifest for %s, whose note fails no check', async (version, cloud, credential, values) => {
    const file = join(await temporaryFolder(), 'site.yaml')
    const chosen = ['--service-version', version, '--cloud', cloud, '--credential', credential]
    chosen.push('--bucket', 'objects', '--root-dir', 'prod', ...values)
    const { exitCode, host } = await init([file, ...complete, ...chosen])
    expect([exitCode, host.err()]).toEqual([exitCodes.done, expect.any(String)])
    const checking = fakeHost()
    expect(await run(['validate', file, '--fail-on', 'warning'], checking)).toBe(exitCodes.done)
    expect(checking.screen()).toContain('1 file, 0 errors, 0 warnings, 1 note')
    const { exitCode: applied, err } = await landform(['apply', '--emulate', file, '--yes'])
    expect([applied, err]).toEqual([exitCodes.done, expect.stringContaining('the site is ready')])
  })

  test('writes the two profiles of 12.1, whose parameters have to be filled in', async () => {
    const file = join(await temporaryFolder(), 'site.yaml')
    const chosen = ['--service-version', '12.1', '--availability-profile', 'enhanced']
    const { exitCode, host } = await init([file, ...complete, ...chosen])
    expect([exitCode, host.err()]).toEqual([
      exitCodes.done,
      expect.stringContaining('defaults that cannot be changed later: --performance-profile standard,'),
    ])
    const text = readFileSync(file, 'utf8')
    expect(text).toContain('    availability: { name: enhanced, parameter: CHANGE-ME }\n')
    expect(text).toContain('    performance: { name: standard, parameter: CHANGE-ME }\n')
    expect(text).not.toMatch(/^ {2}profile:/m)
    const checking = fakeHost()
    expect(await run(['validate', file], checking)).toBe(exitCodes.invalid)
    expect(checking.screen()).toContain('`CHANGE-ME` is a placeholder')
    writeFileSync(file, text.replace('CHANGE-ME', 'oneProfile').replace('CHANGE-ME', 'anotherProfile'))
    const again = fakeHost()
    expect(await run(['validate', file, '--fail-on', 'warning'], again)).toBe(exitCodes.done)
    const { exitCode: applied, err } = await landform(['apply', '--emulate', file, '--yes'])
    expect([applied, err]).toEqual([exitCodes.done, expect.stringContaining('the site is ready')])
  })

  test.each([
    [
      ['--service-version', '12.1', '--profile', 'development'],
      '12.1 replaced --profile: use --availability-profile',
    ],
    [
      ['--service-version', '12.0', '--availability-profile', 'standard'],
      '--availability-profile needs a --service-version of 12.1',
    ],
    [['--performance-profile', 'standard'], '--performance-profile needs a --service-version of 12.1'],
  ])('rejects a profile that the version does not have: %j', async (options, expected) => {
    const { exitCode, host } = await init(['-', ...complete, ...options])
    expect([exitCode, host.out()]).toEqual([exitCodes.usage, ''])
    expect(host.err()).toContain(expected)
  })

  test.each([
    [
      'kubernetes:production/gis-state',
      `${origin}/arcgis/admin`,
      '  state: kubernetes:production/gis-state\n',
    ],
    ['git:origin', 'http://127.0.0.1:4000/admin', '  state: git:origin\n'],
    [undefined, 'http://127.0.0.1:4000/admin', '  #state: git:origin\n'],
  ])('writes the state location %s for a site at %s', async (state, url, line) => {
    const given = state === undefined ? [] : ['--state', state]
    const { exitCode, host } = await init(['-', ...complete.toSpliced(3, 1, url), ...given])
    expect([exitCode, host.out()]).toEqual([exitCodes.done, expect.stringContaining(line)])
  })

  test('writes no state location that is invalid in a manifest', async () => {
    const { exitCode, host } = await init([
      '-',
      ...complete,
      '--state',
      'git:https://git.example.org/state.git',
    ])
    expect([exitCode, host.out()]).toEqual([exitCodes.invalid, ''])
    expect(host.err()).toContain('--state would make')
    expect(host.err()).toContain('is a URL or a path: name a remote of the clone')
  })

  test.each([
    ['in the same folder', 'site.yaml', 'schemas/deployment.schema.json'],
    ['above it', 'sites/test/site.yaml', '../../schemas/deployment.schema.json'],
  ])('uses a schema that lies %s', async (_, path, address) => {
    const folder = await temporaryFolder()
    mkdirSync(join(folder, 'schemas'))
    mkdirSync(join(folder, 'sites', 'test'), { recursive: true })
    cpSync('schemas/deployment.schema.json', join(folder, 'schemas', 'deployment.schema.json'))
    await init([join(folder, path), ...required])
    expect(readFileSync(join(folder, path), 'utf8')).toContain(`$schema=${address}\n`)
    expect(filesIn(folder)).toEqual(['schemas/deployment.schema.json', path].sort())
  })

  test('looks for a schema only within the repository', async () => {
    const folder = await temporaryFolder()
    mkdirSync(join(folder, 'schemas'))
    cpSync('schemas/deployment.schema.json', join(folder, 'schemas', 'deployment.schema.json'))
    mkdirSync(join(folder, 'repository', '.git'), { recursive: true })
    await init([join(folder, 'repository', 'site.yaml'), ...required])
    expect(existsSync(join(folder, 'repository', 'schemas', 'deployment.schema.json'))).toBe(true)
  })

  test('accepts the address of a schema, unless it would end the line', async () => {
    const asked = await init(['-', ...required, '--schema', 'https://example.org/s.json'])
    expect(asked.host.out()).toContain('$schema=https://example.org/s.json\n')
    expect((await init(['-', ...required, '--schema', 'a\nkind: Other'])).exitCode).toBe(exitCodes.usage)
  })

  test('writes placeholders for immutable fields, which validate rejects', async () => {
    const folder = await temporaryFolder()
    const file = join(folder, 'sites', 'site.yaml')
    const { exitCode, host } = await init([file, ...required, '--cloud', 'aws', '--region', 'eu-west-1'])
    expect(exitCode).toBe(exitCodes.done)
    expect(host.err()).toContain('next: replace each CHANGE-ME, then landform validate')
    expect(existsSync(join(folder, 'sites', 'licenses'))).toBe(true)
    const checking = fakeHost()
    expect(await run(['validate', file], checking)).toBe(exitCodes.invalid)
    expect(checking.screen()).toContain('1 file, 3 errors, 0 warnings')
    // All volumes have the same class, which is written once.
    expect(checking.screen().match(/> .*CHANGE-ME/g)).toHaveLength(2)
    expect(checking.screen()).toMatch(/also: .*rootDir \(line \d+\)/)
    expect(readFileSync(file, 'utf8').match(/: .*CHANGE-ME/g)).toHaveLength(3)
  })

  test('lists each default of an immutable field, and no values that were given', async () => {
    const { host } = await init([join(await temporaryFolder(), 'site.yaml'), ...required])
    expect(host.err().replaceAll(/\s+/g, ' ')).toContain(
      'note: defaults that cannot be changed later: --profile standard-availability, --cloud none, --volume-size smallest, --username siteadmin next:',
    )
    const given = [
      '--profile',
      'development',
      '--cloud',
      'none',
      '--volume-size',
      '64Gi',
      '--username',
      'gisadmin',
    ]
    const chosen = await init([join(await temporaryFolder(), 'site.yaml'), ...required, ...given])
    expect(chosen.host.err()).not.toContain('later')
  })

  test('writes no line of more than 80 columns except for addresses', async () => {
    for (const cloud of ['none', 'aws', 'azure', 'gcp']) {
      const lines = (await init(['-', ...required, '--cloud', cloud])).host.out().split('\n')
      expect(lines.filter(line => line.length > 80 && !line.includes('://'))).toEqual([])
    }
  })

  test('uses one size for all volumes, except one that cloud storage replaces', async () => {
    const { host } = await init(['-', ...required, '--cloud', 'aws', '--volume-size', '100Gi'])
    expect(host.out().match(/size: 100Gi/g)).toHaveLength(7)
    expect(host.out()).toContain('BLOB:\n      size: 32Gi')
  })

  test('writes no invalid manifest, and names the wrong options', async () => {
    const folder = await temporaryFolder()
    const { exitCode, host } = await init([join(folder, 'site.yaml'), ...required, '--username', 'adm'])
    expect(exitCode).toBe(exitCodes.invalid)
    expect(host.err()).toContain('administrator/username')
    expect(host.err()).toContain('--username would make')
    expect(filesIn(folder)).toEqual([])
  })

  test('replaces nothing unless told to, not even a dangling link', async () => {
    const folder = await temporaryFolder()
    const [file, link] = [join(folder, 'site.yaml'), join(folder, 'link.yaml')]
    writeFileSync(file, 'mine')
    symlinkSync(join(folder, 'elsewhere'), link)
    expect((await init([file, ...required])).exitCode).toBe(exitCodes.refused)
    expect((await init([link, ...required])).exitCode).toBe(exitCodes.refused)
    expect([readFileSync(file, 'utf8'), filesIn(folder)]).toEqual(['mine', ['site.yaml']])
    expect((await init([file, ...required, '--force'])).exitCode).toBe(exitCodes.done)
    expect(readFileSync(file, 'utf8')).toContain('kind: SiteDeployment')
  })
})

describe('on a terminal', () => {
  const cloud = ['aws', 'ACCESS-KEY', 'objects', 'eu-west-1', 'prod']
  const typed = ['production', `${origin}/admin`, '', '', ...cloud, '', '', '', 'admin@example.org']

  test('asks for what is not given, and rejects an invalid answer at once', async () => {
    const folder = await temporaryFolder()
    const file = join(folder, 'site.yaml')
    const answers = [
      'Production',
      ...typed,
      '',
      '',
      '2',
      '',
      'origin',
      'kubernetes:production/gis-state',
      'github',
    ]
    const { exitCode, host } = await init([file], { answers })
    expect(exitCode).toBe(exitCodes.done)
    expect(host.err()).toContain('`name` must consist of lower-case letters')
    expect(host.err()).toContain('`origin` is not a state location')
    expect(parse(readFileSync(file, 'utf8'))).toMatchObject({
      metadata: { name: 'production' },
      spec: {
        state: 'kubernetes:production/gis-state',
        cloudStorage: [
          {
            credential: { type: 'ACCESS-KEY' },
            cloudServices: [{ connection: { bucketName: 'objects', region: 'eu-west-1', rootDir: 'prod' } }],
          },
        ],
        administrator: { securityQuestion: { index: 2 } },
      },
    })
    expect(existsSync(join(folder, '.github', 'workflows', 'landform.yml'))).toBe(true)
  })

  test('an empty answer never guesses what only the user knows, and the defaults of immutable fields are listed as with --yes', async () => {
    const file = join(await temporaryFolder(), 'site.yaml')
    const answers = ['production', `${origin}/arcgis/admin`, '', '', 'aws', 'ACCESS-KEY']
    answers.push('', '', '', '', '', '', 'admin@example.org', '', '', '', '', '', '')
    const asked = (await init([file], { answers })).host.err()
    const written = readFileSync(file, 'utf8')
    const { host } = await init([
      file,
      ...required,
      '--cloud',
      'aws',
      '--credential',
      'ACCESS-KEY',
      '--force',
    ])
    expect(readFileSync(file, 'utf8')).toBe(written)
    expect(written).toMatch(/storageClass: &storageClass CHANGE-ME/)
    expect(written).toMatch(/bucketName: CHANGE-ME\s+region: CHANGE-ME\s+rootDir: CHANGE-ME/)
    const note = /note: defaults that cannot be changed later: .*/
    expect(note.exec(asked)?.[0]).toMatch(/--profile .*, --volume-size smallest, --username/)
    expect(note.exec(host.err())?.[0]).toBe(note.exec(asked)?.[0])
  })

  test('for an older version it asks for the server license and not for a cloud, and for a printed manifest not for a CI workflow', async () => {
    const answers = [
      ...typed.slice(0, 2),
      '10.9.1',
      '',
      '',
      '',
      '',
      'admin@example.org',
      '',
      '',
      '',
      '',
      '',
      '',
    ]
    const { exitCode, host } = await init(['-'], { answers })
    expect(exitCode).toBe(exitCodes.done)
    expect(host.err()).not.toContain('objects')
    expect(host.err()).not.toContain('CI workflow')
    expect(host.out()).toContain('serverFile: licenses/server.ecp')
  })

  test.each(Array.from({ length: 14 }, (_, count) => count))(
    'an interrupt after %i answers writes nothing',
    async count => {
      const folder = await temporaryFolder()
      const { exitCode } = await init([join(folder, 'site.yaml')], { answers: typed.slice(0, count) })
      expect([exitCode, filesIn(folder)]).toEqual([exitCodes.interrupted, []])
    },
  )

  test.each([['--no-input'], ['--yes']])('%s asks nothing', async option => {
    const { exitCode, host } = await init(['-', ...required, option], { answers: [] })
    expect([exitCode, host.err()]).toEqual([exitCodes.done, ''])
    expect((await init(['-', option], { answers: [] })).exitCode).toBe(exitCodes.usage)
  })

  test('a wrong option or an existing file is reported before the first question', async () => {
    const wrong = await init(['-', '--email', 'nobody'], { answers: [] })
    expect(wrong.exitCode).toBe(exitCodes.invalid)
    const taken = await init(['examples/quickstart.yaml'], { answers: [] })
    expect(taken.exitCode).toBe(exitCodes.refused)
    expect(wrong.host.err() + taken.host.err()).not.toContain('?')
  })
})

describe('an interview', () => {
  const url = `${origin}/arcgis/admin`
  const rest = ['', '', '', '', '', 'admin@example.org', '', '', '', '', '']

  test('shows texts where the answer is a number or a name', async () => {
    const { host } = await init(['-'], { answers: ['production', url, '', ...rest] })
    expect(host.err()).toContain('[in the cluster | AWS S3 | Azure Blob Store | Google Cloud Storage]')
    expect(host.err()).toContain('standard-availability: Production with little unplanned downtime.')
    expect(host.err()).toMatch(
      /\[What city were you born in\? \| .* \| Where did you go on your first date\?\]/,
    )
  })

  test('has questions that fit on a line of 80 columns', () => {
    // The editor prints three columns before a question.
    expect(questions.filter(({ message }) => message.length > 77)).toEqual([])
  })

  test('goes back, and offers the earlier answers', async () => {
    const back = '\x1b'
    const answers = [back, 'wrong', back, 'production', url, '', 'development', back, back, '12.0']
    const { exitCode, host } = await init(['-'], {
      answers: [...answers, 'enhanced-availability', '', ...rest.slice(2)],
    })
    expect(exitCode).toBe(exitCodes.done)
    expect(parse(host.out())).toMatchObject({
      metadata: { name: 'production' },
      spec: { site: { url, version: '12.0' }, profile: 'enhanced-availability' },
    })
    const again = await init(['-'], { answers: ['production', `${origin}/gis/admin`, back, '', '', ...rest] })
    expect(parse(again.host.out()).spec.site.url).toBe(`${origin}/gis/admin`)
  })

  test.each([
    ['an address', ['production', `${origin}/gis`, `${origin}/gis`, '', ...rest], '--url', `${origin}/gis`],
    [
      'a version',
      ['production', url, '13.0', '13.0', '', '', '', '', '', '', 'admin@example.org', '', '', '', '', ''],
      '--service-version',
      '13.0',
    ],
  ])(
    'accepts %s with a warning if it is entered again, as the option does',
    async (_, answers, option, value) => {
      const { exitCode, host } = await init(['-'], { answers })
      expect([exitCode, host.out()]).toEqual([exitCodes.done, expect.stringContaining(value)])
      expect(host.err()).toContain('or press Enter again to keep it')
      const given = required.includes(option)
        ? required.with(required.indexOf(option) + 1, value)
        : [...required, option, value]
      const optional = await init(['-', ...given])
      expect([optional.exitCode, optional.host.err()]).toEqual([
        exitCodes.done,
        expect.stringMatching(/^-:\d+:\d+ {2}warning/),
      ])
    },
  )

  test.each([
    [['--cloud', 'aws', '--client-id', 'x'], '--client-id is for --cloud azure with USER-ASSIGNED-IDENTITY'],
    [['--cloud', 'gcp', '--region', 'x'], '--region is for --cloud aws'],
    [['--bucket', 'x'], '--bucket needs --cloud'],
  ])('names the purpose of an option: %j', async (options, message) => {
    const { exitCode, host } = await init(['-', ...required, ...options])
    expect([exitCode, host.err()]).toEqual([exitCodes.usage, expect.stringContaining(message)])
  })
})

describe('no immutable field is omitted silently', () => {
  const properties = [
    'ADMIN_USERNAME=siteadmin',
    'ADMIN_EMAIL=admin@example.org',
    'ADMIN_FIRST_NAME=Ada',
    'LICENSE_TYPE_ID=creatorUT',
    'SECURITY_QUESTION_INDEX=13',
    'SYSTEM_ARCH_PROFILE=standard-availability',
    'ARCGIS_ENTERPRISE_FQDN=gis.example.org',
    'LICENSE_FILE=site.json',
    'K8S_NAMESPACE=production',
    'CLOUD_CONFIG_JSON_FILENAME=cloud.json',
    'QUEUE_STORAGE_SIZE=16Gi',
  ].join('\n')

  const ways = {
    init: async () => (await init(['-', ...required])).host,
    'init --from-properties': async (file: string) =>
      (await init(['-', '--from-properties', file, '--service-version', '11.2'])).host,
    adopt: () => adopt([]),
    'adopt --from-properties': (file: string) => adopt(['--from-properties', file]),
  }

  async function adopt(args: readonly string[]) {
    const emulator = await anEmulator({ configured: true, version: '11.2' })
    const host = fakeHost()
    const state = `file:${await temporaryFolder()}`
    await run(['adopt', '-', '--url', emulator.url, '--state', state, ...args], host)
    return host
  }

  test.each(Object.entries(ways))(
    'by %s: the field is written, left as a placeholder, or named',
    async (_, write) => {
      const file = join(await temporaryFolder(), 'configure.properties')
      writeFileSync(file, properties)
      const host = await write(file)
      const text = host.out()
      expect(text).toContain('kind: SiteDeployment')
      const later = fields.filter(
        field =>
          field.later !== 'update' && field.later.immutable !== undefined && field.name !== serverLicensePart,
      )
      const silent = later.filter(({ pointer }) => !text.includes(readLastSegment(pointer)))
      expect([later.length, silent.map(({ pointer }) => pointer)]).toEqual([16, []])
    },
  )

  test.each(['init --from-properties', 'adopt --from-properties'] as const)(
    'by %s: the cloud storage of another file is a placeholder',
    async way => {
      const file = join(await temporaryFolder(), 'configure.properties')
      writeFileSync(file, properties)
      expect((await ways[way](file)).out()).toMatch(/^ {2}cloudStorage: CHANGE-ME/m)
    },
  )

  test('by init --from-properties: an option replaces a question, and defaults are named', async () => {
    const file = join(await temporaryFolder(), 'configure.properties')
    writeFileSync(file, properties.replace(/QUEUE.*/, ''))
    const target = join(await temporaryFolder(), 'site.yaml')
    const options = ['--service-version', '11.2', '--cloud', 'none', '--storage-class', 'gp3']
    const { exitCode, host } = await init([target, '--from-properties', file, ...options])
    expect([exitCode, readFileSync(target, 'utf8')]).toEqual([
      exitCodes.done,
      expect.not.stringContaining('CHANGE-ME'),
    ])
    expect(host.err()).toContain('defaults that cannot be changed later: --volume-size smallest')
  })
})

describe('a generated CI file', () => {
  const written = async (system: string, path: string, args: readonly string[] = []) => {
    const folder = await temporaryFolder()
    mkdirSync(join(folder, '.git'))
    mkdirSync(join(folder, 'sites'))
    const { exitCode } = await init([
      join(folder, 'sites', 'site.yaml'),
      ...required,
      '--ci',
      system,
      ...args,
    ])
    expect(exitCode).toBe(exitCodes.done)
    return readFileSync(join(folder, path), 'utf8')
  }
  test('no job on GitHub has more permissions than it needs, and only one may change stored data', async () => {
    const { jobs } = parse(await written('github', '.github/workflows/landform.yml'))
    const read = { contents: 'read' }
    const attest = { attestations: 'write', 'id-token': 'write' }
    expect(
      Object.entries(jobs).map(([name, job]) => [name, (job as { permissions: object }).permissions]),
    ).toEqual([
      ['check', read],
      ['plan', { ...read, ...attest, 'pull-requests': 'write' }],
      ['choose', { ...read, ...attest, actions: 'read', 'pull-requests': 'read' }],
      ['apply', { contents: 'write', actions: 'read', attestations: 'read' }],
      ['again', { actions: 'write' }],
      ['drift', { ...read, issues: 'write' }],
    ])
    expect(jobs.plan.if).toContain('head.repo.full_name == github.repository')
  })

  test.each([
    ['github', '.github/workflows/landform.yml', 7],
    ['gitlab', '.gitlab-ci.yml', 8],
  ] as const)(
    'for %s downloads nothing by its name, and every command line in it is valid',
    async (system, path, count) => {
      const text = await written(system, path)
      expect(text).not.toMatch(/^[^#]*npx/m)
      const joined = text.replaceAll(/\\\n\s+/g, '').replaceAll(/(landform plan .*)\n\s+(?=--)/g, '$1 ')
      const command =
        /^\s+(?:run: |- |(?:- )?(?:if|for) .*; (?:then|do) )?(landform .*?)(?:; fi|; done|;)?$/gm
      const lines = [...joined.matchAll(command)].map(([, line = '']) => line.replace(/ (?:\|\||>>) .*/, ''))
      expect(lines).toHaveLength(count)
      for (const line of lines) {
        const folder = await temporaryFolder()
        const words = line
          .replace(/\$\(printf.*|\$manifests/, '--manifest nowhere.yaml')
          .replace(/"?\$manifests?"?/i, 'nowhere.yaml')
          .replace(/"(?:plans\/)?\$\w+(?:\.plan\.json)?"|plan\.json|\$?plans/, join(folder, 'plan.json'))
          .replaceAll(/=(?:"\$\{plan%.plan.json\})?\.?(\w+[.\w]*)"?/g, `=${join(folder, '$1')}`)
          .split(' ')
          .slice(1)
        // A comment finds no token, and all other commands find no file.
        const environment = {
          GITLAB_CI: 'true',
          CI_API_V4_URL: 'https://ci.example.org',
          CI_MERGE_REQUEST_IID: '7',
          CI_MERGE_REQUEST_PROJECT_ID: '1',
        }
        expect([line, await run(words, fakeHost({ environment }))]).toEqual([line, exitCodes.missing])
      }
    },
  )

  test('that exists is not replaced, and then no manifest is written', async () => {
    const folder = await temporaryFolder()
    const args = [join(folder, 'site.yaml'), ...required, '--ci', 'gitlab']
    writeFileSync(join(folder, '.gitlab-ci.yml'), 'mine')
    const { exitCode, host } = await init(args)
    expect(exitCode).toBe(exitCodes.refused)
    expect(host.err()).toContain('.gitlab-ci.yml exists already')
    expect(host.err()).toContain('next: remove --ci, or replace it with --force')
    expect(filesIn(folder)).toEqual(['.gitlab-ci.yml'])
    expect((await init([...args, '--force'])).exitCode).toBe(exitCodes.done)
    expect(readFileSync(join(folder, '.gitlab-ci.yml'), 'utf8')).toContain('production site.yaml')
  })

  test('all files that --force would replace are named', async () => {
    const folder = await temporaryFolder()
    for (const name of ['.gitlab-ci.yml', 'site.yaml']) writeFileSync(join(folder, name), 'mine')
    const { host } = await init([join(folder, 'site.yaml'), ...required, '--ci', 'gitlab'])
    expect(host.err()).toMatch(/site\.yaml and \S+\.gitlab-ci\.yml exist already; nothing was written/)
    expect(host.err()).toContain('next: name another file, or replace both with --force')
  })
})

describe.each([
  ['github', '.github/workflows/landform.yml'],
  ['gitlab', '.gitlab-ci.yml'],
  ['azure', 'azure-pipelines.yml'],
] as const)('the CI file of %s for several sites', (system, path) => {
  /** Runs `init --ci` for each name, which options may follow, in the same repository. */
  async function repository(...names: readonly string[]) {
    const folder = await temporaryFolder()
    mkdirSync(join(folder, '.git'))
    const add = async (name: string, ...options: readonly string[]) => {
      const site = [
        '--name',
        name,
        '--url',
        `https://${name}.example.org/arcgis/admin`,
        '--email',
        'a@example.org',
      ]
      const file = join(folder, 'envs', name, 'site.yaml')
      const ended = await init([file, ...site, '--ci', system, ...options])
      return { ...ended, err: ended.host.err().replaceAll(/\s+/g, ' ') }
    }
    for (const name of names) expect((await add(name)).exitCode).toBe(exitCodes.done)
    const file = join(folder, path)
    const read = () => readFileSync(file, 'utf8')
    const edit = (from: string | RegExp, to: string) => writeFileSync(file, read().replace(from, to))
    return { folder, add, read, edit, file }
  }
  const table = (text: string) =>
    /SITES: \|-\n((?: +\S.*\n)+?)(?! {4})/.exec(text)?.[1]?.trim().split(/\n\s*/)

  test('has an entry for each site, and a variable for the password of each', async () => {
    const { folder, add, read } = await repository('test')
    const { err } = await add('eu.production')
    expect(err).toMatch(new RegExp(`added the site to \\S*/${path} `))
    expect(err).not.toContain('several sites')
    expect(table(read())).toEqual([
      'test envs/test/site.yaml https://test.example.org',
      'eu.production envs/eu.production/site.yaml https://eu.production.example.org',
    ])
    expect(read().match(/LANDFORM_ADMIN_PASSWORD(?!:)/g)?.length).toBe(
      read().match(/LANDFORM_EU_PRODUCTION_ADMIN_PASSWORD(?!:)/g)?.length,
    )
    expect(readFileSync(join(folder, 'envs', 'eu.production', 'site.yaml'), 'utf8')).toContain(
      'password: { env: LANDFORM_EU_PRODUCTION_ADMIN_PASSWORD }',
    )
    expect(() => parse(read())).not.toThrow()
  })

  test('is the same when it is written again, and the order of the sites does not change the jobs', async () => {
    const { add, read } = await repository('test', 'production')
    const before = read()
    const { exitCode, err } = await add('production', '--force')
    expect([exitCode, read()]).toEqual([exitCodes.done, before])
    expect(err).not.toContain(path)
    const other = await repository('production', 'test')
    const rows = (text: string) =>
      text
        .replaceAll(/_(?:TEST|PRODUCTION)_/g, '_')
        .split('\n')
        .toSorted()
    expect(new Set(rows(other.read()))).toEqual(new Set(rows(before)))
  })

  test('keeps manual changes elsewhere in it', async () => {
    const { add, edit, read } = await repository('test')
    edit(/npm ci --ignore-scripts/g, 'npm ci --ignore-scripts --omit=dev')
    edit(/^.*\n/, '# Ours\n')
    edit(/\n/g, '\r\n')
    expect((await add('production')).exitCode).toBe(exitCodes.done)
    expect(read()).toMatch(/^# Ours\r\n[\s\S]*--omit=dev/)
    expect(read().replaceAll('\r\n', '')).not.toContain('\n')
    expect(table(read().replaceAll('\r', ''))).toHaveLength(2)
  })

  test('is left unchanged if one of its lists is missing: the lines to add are printed', async () => {
    const { folder, add, edit, read } = await repository('test')
    edit(/^( *)SITES: .*\n.*\n/m, '$1SITES: test envs/test/site.yaml https://test.example.org\n')
    const before = read()
    const { exitCode, err } = await add('production')
    expect([exitCode, read()]).toEqual([exitCodes.refused, before])
    expect(err).toContain('was edited so that the site cannot be added safely; nothing was written')
    expect(err).toContain(
      'add below each `SITES: |-`: `production envs/production/site.yaml https://production.example.org`',
    )
    expect(err).toContain(
      'run the same command without --ci, and write `password: { env: LANDFORM_PRODUCTION_ADMIN_PASSWORD }` in the manifest',
    )
    expect(existsSync(join(folder, 'envs', 'production'))).toBe(false)
  })

  test.each([
    ['name', 'test', 'envs/other/site.yaml'],
    ['manifest', 'other', 'envs/test/site.yaml'],
  ])('accepts no second site with the same %s', async (_, name, file) => {
    const { folder, read } = await repository('test')
    const before = read()
    const site = [
      '--name',
      name,
      '--url',
      'https://other.example.org/arcgis/admin',
      '--email',
      'a@example.org',
    ]
    const { exitCode, host } = await init([join(folder, file), ...site, '--ci', system, '--force'])
    expect([exitCode, read()]).toEqual([exitCodes.refused, before])
    expect(host.err().replaceAll(/\s+/g, ' ')).toContain(
      'has this name or manifest already: `test envs/test/site.yaml https://test.example.org`',
    )
  })

  test('notes that several sites sign in with the same variable if an option names it', async () => {
    const { add } = await repository('test')
    const { err } = await add('production', '--sign-in', 'ci=env:LANDFORM_ADMIN_PASSWORD')
    expect(err).toContain('note: plan and drift sign in to several sites with LANDFORM_ADMIN_PASSWORD')
  })

  test('lists the files of a manifest with unusual endings', async () => {
    const { add, read } = await repository('test')
    expect((await add('production', '--license', 'licenses/site.lic')).exitCode).toBe(exitCodes.done)
    // The pipeline of Azure DevOps plans after every push to the branch.
    expect(/^ +- envs\/production\/licenses\/site\.lic$/m.test(read())).toBe(system !== 'azure')
  })

  test('has an identity for state in Azure, but for no other state', async () => {
    const { add, read } = await repository('test')
    const before = read()
    expect(before).not.toMatch(/^ {2}AZURE_/m)
    expect((await add('production', '--state', 'azblob:myaccount/state')).exitCode).toBe(exitCodes.done)
    const identity = {
      github: ['AZURE_CLIENT_ID', 'AZURE_TENANT_ID'],
      gitlab: [],
      azure: ['AZURE_CONNECTION'],
    }[system]
    expect([...read().matchAll(/^ {2}(AZURE_\w+): /gm)].map(([, name]) => name)).toEqual(identity)
  })

  test.each([
    ['a space', 'my site.yaml'],
    ['a variable of a pipeline', '$(site).yaml'],
  ])('lists no manifest whose path has %s', async (_, name) => {
    const { folder } = await repository()
    const file = join(folder, name)
    const { exitCode, host } = await init([file, ...required, '--ci', system])
    expect([exitCode, existsSync(file)]).toEqual([exitCodes.usage, false])
    expect(host.err()).toContain('rename')
  })

  test('outside a git repository is written with a note that CI does not find it there', async () => {
    const folder = await temporaryFolder()
    const { exitCode, host } = await init([join(folder, 'site.yaml'), ...required, '--ci', system])
    expect([exitCode, existsSync(join(folder, path))]).toEqual([exitCodes.done, true])
    expect(host.err().replaceAll(/\s+/g, ' ')).toContain(
      `/${path} is in no git repository: CI reads it at the root of one`,
    )
  })
})
