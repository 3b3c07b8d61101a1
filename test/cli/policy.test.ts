import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openSession } from '../../src/cli/site/open-session.js'
import { aReviewedPlan } from '../support/a-reviewed-plan.js'
import { anEmulator } from '../support/emulator.js'
import { fakeHost } from '../support/fake-host.js'
import { filesIn } from '../support/files-in.js'
import { landform } from '../support/landform.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const valid = readFileSync('examples/quickstart.yaml', 'utf8')
const broken = valid.replace('email: admin@example.org', 'email: nobody')
const rules = (...texts: readonly string[]) =>
  `apiVersion: landform.dev/v1\nkind: SitePolicy\nrules:\n${texts.map(text => `  - { ${text} }\n`).join('')}`
const noDevelopment = 'name: no-development, require: { spec.profile: { not: development } }'
const advice = `level: warning, ${noDevelopment}`
const bigDisks = 'name: big-disks, require: { spec.volumes.BLOB.size: { atLeast: 64Gi } }'
const misspelt = 'name: a, require: { spec.profil: development }'
const policyName = 'landform.policy.yaml'

let folder = ''
beforeEach(async () => {
  folder = await temporaryFolder()
  mkdirSync(join(folder, '.git'))
})
const inFolder = (name: string) => join(folder, name)
const validate = (files: readonly string[], ...options: string[]) =>
  landform(['validate', ...files.map(inFolder), ...options], { folder })
const heads = (text: string) => text.match(/^\S+:\d+:\d+ {2}\w+ .*|^ {2}note: .*/gm)

describe('a policy', () => {
  test.each([
    ['beside the manifest', 'a/b/landform.policy.yaml'],
    ['in a folder above it', 'a/landform.policy.yaml'],
    ['in the root of the repository', 'landform.policy.yaml'],
    ['with the other ending', 'a/landform.policy.yml'],
  ])('is found %s', async (_, name) => {
    filesIn(folder, { 'a/b/site.yaml': valid, [name]: rules(noDevelopment) })
    const { exitCode, out } = await validate(['a/b/site.yaml'])
    expect(exitCode).toBe(78)
    expect(heads(out)).toEqual([
      'a/b/site.yaml:24:12  error  `no-development`: `spec.profile` must not be `development`  policy/violated',
      `  note: the rule \`no-development\` (${name}:4:13)`,
    ])
    expect(out).toContain('1 file, 1 error, 0 warnings\n')
  })

  test.each([
    ['above the root of the repository', 'a/.git/config', 'landform.policy.yaml'],
    ['in a folder beside', 'a/x', 'c/landform.policy.yaml'],
    ['in a folder below', 'a/x', 'a/b/c/landform.policy.yaml'],
    ['with a similar name', 'a/x', 'a/b/policy.yaml'],
  ])('is not found %s', async (_, other, name) => {
    filesIn(folder, { 'a/b/site.yaml': valid, [other]: '', [name]: rules(noDevelopment) })
    expect((await validate(['a/b/site.yaml'])).exitCode).toBe(0)
  })

  test.each([
    'landform-policy.yaml',
    'landform-policies.yml',
    'landform.policy.json',
    'landform.policy.yaml.txt',
    'landform.policy',
    '.landform.policy.yaml',
    'landform.polcy.yaml',
    'landformpolicy.yaml',
    'Landform-Policy.YAML',
  ])('is not found under the name %s, which is not opened and causes a warning', async name => {
    const other = valid.replace('name: quickstart', 'name: other').replace('//gis.', '//other.')
    filesIn(folder, { 'a/b/site.yaml': valid, 'a/b/other.yaml': other, [`a/${name}`]: '{{ no YAML' })
    const { exitCode, out } = await validate(['a/b/site.yaml', 'a/b/other.yaml'])
    expect(exitCode).toBe(0)
    expect(heads(out)?.filter(line => line.includes('policy/'))).toEqual([
      `a/${name}:1:1  warning  the rules in \`${name}\` are not read: a policy is named \`landform.policy.yaml\`  policy/unread`,
    ])
    expect(out).toContain('help: rename it to `landform.policy.yaml`, or pass it with --policy')
    expect((await validate(['a/b/site.yaml'], '--fail-on', 'warning')).exitCode).toBe(65)
  })

  test.each([
    'landform.policy.yaml',
    'landform.policy.yml',
    'site.policy-notes.yaml',
    'policy.yaml',
    'landform.yaml',
    'landform-plan.yaml',
    'landform.policy.test.yaml',
    'landform.policy.production.yaml',
    'landform.policy2.yaml',
    'landform.policy.yaml.bak',
    'landform.policy.yaml~',
    '.landform.policy.yaml.swp',
    'landform.policy.md',
    'landform-policies/one.yaml',
  ])('is found without a warning about %s', async name => {
    filesIn(folder, { 'a/site.yaml': valid, [`a/${name}`]: rules(bigDisks) })
    const { out } = await validate(['a/site.yaml'])
    expect(out).not.toContain('policy/unread')
  })

  test('is found under any name that --policy gives, without a warning', async () => {
    filesIn(folder, { 'a/site.yaml': valid, 'a/landform-policy.yaml': rules(noDevelopment) })
    const { exitCode, out } = await validate(['a/site.yaml'], '--policy', inFolder('a/landform-policy.yaml'))
    expect(exitCode).toBe(78)
    expect(out).not.toContain('policy/unread')
  })

  test.each([
    ['validate', ['--format', 'json'], 0],
    ['plan', ['--emulate'], 0],
    ['apply', ['--emulate', '--yes'], 0],
  ])('is not found under a similar name by `%s`, which warns', async (command, words, expected) => {
    filesIn(folder, {
      'site.yaml': valid.replace(/ file: licenses\S+/, ' file: license.json'),
      'license.json': '{}',
      'landform-policy.yaml': rules(noDevelopment),
    })
    const { exitCode, out, err } = await landform([command, inFolder('site.yaml'), ...words], { folder })
    expect(exitCode).toBe(expected)
    expect(`${out}${err}`.match(/policy\/unread/g)).toHaveLength(1)
  })

  test('is found in every folder above, so a nearer one does not disable the others', async () => {
    filesIn(folder, {
      'a/b/site.yaml': valid,
      [`a/b/${policyName}`]: rules('name: no-development, require: { kind: { exists: true } }'),
      [`a/${policyName}`]: rules(bigDisks),
      [policyName]: rules(noDevelopment),
    })
    const { exitCode, out } = await validate(['a/b/site.yaml'])
    expect(exitCode).toBe(78)
    expect(out.match(/the rule .*/g)).toEqual([
      `the rule \`no-development\` (${policyName}:4:13)`,
      `the rule \`big-disks\` (a/${policyName}:4:13)`,
    ])
  })

  test('is found for standard input by --stdin-filename', async () => {
    filesIn(folder, { [`a/${policyName}`]: rules(noDevelopment) })
    const read = (...words: string[]) => landform(['validate', '-', ...words], { folder, input: valid })
    expect((await read('--stdin-filename', inFolder('a/site.yaml'))).exitCode).toBe(78)
    expect((await read('--stdin-filename', inFolder('site.yaml'))).exitCode).toBe(0)
  })

  test('is used in addition to those of the command line, each once', async () => {
    filesIn(folder, {
      'a/site.yaml': valid,
      [`a/${policyName}`]: rules(noDevelopment),
      'central.yaml': rules(bigDisks),
    })
    const named = ['central.yaml', 'central.yaml', `a/${policyName}`].flatMap(name => [
      '--policy',
      inFolder(name),
    ])
    const { exitCode, out } = await validate(['a/site.yaml'], ...named)
    expect([exitCode, heads(out)?.length]).toEqual([78, 4])
  })
})

describe('the value that a rule does not allow', () => {
  test('is shown in the file that contains it', async () => {
    const overlay = 'extends: ../base.yaml\nmetadata: { name: overlaid }\n'
    filesIn(folder, { 'base.yaml': valid, 'a/site.yaml': overlay, [policyName]: rules(noDevelopment) })
    const { exitCode, out } = await validate(['a/site.yaml'])
    expect(exitCode).toBe(78)
    expect(heads(out)).toEqual([
      expect.stringMatching(/^base\.yaml:24:12 {2}error/),
      expect.stringContaining(`(${policyName}:4:13)`),
      '  note: extended here (a/site.yaml:1:10)',
    ])
  })

  test('is listed with the other mistakes, and any of those makes the manifest invalid', async () => {
    filesIn(folder, { 'site.yaml': broken, [policyName]: rules(noDevelopment) })
    const { exitCode, out } = await validate(['site.yaml'])
    expect(exitCode).toBe(65)
    expect(out.match(/(?<= {2})[a-z]+\/[a-z]+$/gm)).toEqual(['administrator/email', 'policy/violated'])
  })

  test('is a warning if the rule says so, and fails with --fail-on warning', async () => {
    filesIn(folder, { 'site.yaml': valid, [policyName]: rules(advice) })
    const { exitCode, out } = await validate(['site.yaml'])
    expect([exitCode, out]).toEqual([0, expect.stringContaining('1 file, 0 errors, 1 warning\n')])
    expect((await validate(['site.yaml'], '--fail-on', 'warning')).exitCode).toBe(78)
  })

  test.each([
    ['a rule', noDevelopment, 'policy/violated', 78, ['ignore/malformed', 'policy/violated']],
    ['a rule named after a note', noDevelopment, 'policy/advised', 78, ['ignore/unused', 'policy/violated']],
    ['advice', advice, 'policy/advised', 0, []],
  ])('can be silenced by a comment only if it is a warning: %s', async (_, rule, code, exitCode, left) => {
    const comment = `  # landform-ignore-next-line ${code} -- we know\n  profile:`
    filesIn(folder, { 'site.yaml': valid.replace('  profile:', comment), [policyName]: rules(rule) })
    const said = await validate(['site.yaml'], '--format', 'json')
    const codes = JSON.parse(said.out).diagnostics.map((one: { code: string }) => one.code)
    expect([said.exitCode, codes]).toEqual([exitCode, left])
  })

  test('is valid without the policy, and a manifest that follows it is valid', async () => {
    filesIn(folder, {
      'a/site.yaml': valid.replace('profile: development', 'profile: enhanced-availability'),
    })
    filesIn(folder, { [policyName]: rules(noDevelopment, bigDisks.replace('64Gi', '32Gi')) })
    const { exitCode, out } = await validate(['a/site.yaml'])
    expect([exitCode, out]).toEqual([0, '1 file, 0 errors, 0 warnings\n'])
  })
})

describe('a policy that is wrong', () => {
  test('is checked by its own name, with the tests in it', async () => {
    const tests = 'tests: [{ manifest: {}, expect: pass }]'
    filesIn(folder, { [policyName]: rules(`${bigDisks}, ${tests}`), 'other.yaml': rules(misspelt) })
    const { exitCode, out } = await validate([policyName, 'other.yaml'])
    expect(exitCode).toBe(65)
    expect(heads(out)).toEqual([
      `${policyName}:4:112  error  the test of \`big-disks\` expects \`pass\`, but the result is \`violation\`  policy/test`,
      'other.yaml:4:27  error  a manifest has no field `spec.profil`  policy/path',
    ])
  })

  test('is reported once, however many manifests it applies to, and they are still checked', async () => {
    filesIn(folder, { 'a.yaml': valid, 'b/b.yaml': broken, [policyName]: rules(misspelt) })
    for (const words of [['a.yaml', 'b/b.yaml'], ['.']]) {
      const { exitCode, out } = await validate(words)
      expect(exitCode).toBe(65)
      const codes = out.match(/(?<= {2})[a-z]+\/[a-z]+$/gm)
      expect([...(codes ?? [])].sort()).toEqual(['administrator/email', 'policy/path'])
      expect(out).toContain('3 files, 2 errors, 0 warnings\n')
    }
  })

  test('stops a plan before the site is polled', async () => {
    filesIn(folder, { 'site.yaml': valid, [policyName]: rules(misspelt) })
    const { exitCode, err } = await landform(['plan', '--emulate', inFolder('site.yaml')], { folder })
    expect(exitCode).toBe(65)
    expect(err).toContain(`${policyName}:4:27  error  a manifest has no field \`spec.profil\``)
    expect(err).toContain(`error: the policy ${policyName} is not valid\n`)
  })

  test.each(['validate', 'plan', 'apply'])('is missing: %s ends with 66', async command => {
    filesIn(folder, { 'site.yaml': valid })
    const words = [command, inFolder('site.yaml'), '--policy', inFolder('gone.yaml')]
    const { exitCode, err } = await landform(words, { folder })
    const sent = command === 'apply' ? '; nothing was sent' : ''
    expect([exitCode, err]).toEqual([66, `error: the policy gone.yaml does not exist${sent}\n`])
  })

  test.each([
    ['a dangling link', (path: string) => symlinkSync('gone.yaml', path)],
    ['a link out of the repository', (path: string) => symlinkSync('/etc/hostname', path)],
    ['a folder', (path: string) => mkdirSync(path)],
    ['empty', (path: string) => writeFileSync(path, '')],
    ['too large', (path: string) => writeFileSync(path, ' '.repeat(300_000))],
  ])('because it is %s is an error', async (_, make) => {
    filesIn(folder, { 'a/site.yaml': valid })
    make(inFolder(policyName))
    const { exitCode, err } = await validate(['a/site.yaml'])
    expect([exitCode, err]).toEqual([
      65,
      expect.stringMatching(/^error: the policy landform\.policy\.yaml \w/),
    ])
  })

  test('cannot come from standard input', async () => {
    filesIn(folder, { 'site.yaml': valid })
    expect((await validate(['site.yaml'], '--policy', '-')).exitCode).toBe(64)
  })
})

test('the policies of a folder are checked with its manifests', async () => {
  filesIn(folder, {
    'a/site.yaml': valid,
    [policyName]: rules(bigDisks.replace('64Gi', '1Gi')),
    'b.yaml': rules(advice),
  })
  expect(await validate(['.'])).toMatchObject({ exitCode: 0, out: '3 files, 0 errors, 0 warnings\n' })
})

describe('before a plan', () => {
  test.each(['plan', 'apply'])('%s fails for a violated rule without a request', async command => {
    const emulator = await anEmulator()
    filesIn(folder, { 'site.yaml': valid, [policyName]: rules(noDevelopment) })
    const words = [command, inFolder('site.yaml'), '--url', emulator.url, '--format', 'json']
    const { exitCode, out, err } = await landform(words, { folder })
    expect(exitCode).toBe(78)
    const sent = command === 'apply' ? '; nothing was sent' : ''
    expect(err).toContain(`error: the manifest site.yaml violates rules of its policy${sent}\n`)
    expect(JSON.parse(out)).toMatchObject({
      error: {
        exitCode: 78,
        diagnostics: [{ code: 'policy/violated', related: [{ file: policyName }] }],
      },
    })
    expect(emulator.requests).toEqual([])
  })

  test('a warning is shown, and the plan is made', async () => {
    filesIn(folder, { 'site.yaml': valid, 'licenses/site.json': '{}', [policyName]: rules(advice) })
    const { exitCode, err } = await landform(['plan', '--emulate', inFolder('site.yaml')], { folder })
    expect([exitCode, err]).toEqual([0, expect.stringContaining('policy/advised')])
  })

  test('a command that makes no plan ignores policies', async () => {
    filesIn(folder, { 'site.yaml': valid, [policyName]: rules(noDevelopment) })
    for (const words of [['status', '--emulate'], ['render']])
      expect((await landform([...words, inFolder('site.yaml')])).exitCode).toBe(0)
  })

  test('the session has the digests of its policies', async () => {
    filesIn(folder, { 'site.yaml': valid, [policyName]: rules(advice), 'central.yaml': rules(advice) })
    const opened = await openSession(
      {
        file: inFolder('site.yaml'),
        policy: [inFolder('central.yaml')],
        url: undefined,
        emulate: true,
        scenario: [],
        state: undefined,
        'allow-origin': [],
      },
      fakeHost(),
    )
    if (!opened.ok) throw new Error(opened.error.failure.message)
    expect(opened.value.policies).toEqual(
      ['central.yaml', policyName].map(name => ({
        file: inFolder(name),
        digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      })),
    )
    await opened.value.close()
  })
})

describe('a rule about the address applies to the address in use', () => {
  const onlyAt = (origin: string) => rules(`name: here, require: { spec.site.url: { origin: [${origin}] } }`)

  test.each(['plan', 'apply', 'drift'])(
    '%s: another address by --url violates it, and is not polled',
    async command => {
      filesIn(folder, { 'site.yaml': valid, [policyName]: onlyAt('https://gis.example.org') })
      const args = [command, inFolder('site.yaml'), '--url', 'http://127.0.0.1:9/admin']
      const { exitCode, err } = await landform([...args, '--policy', inFolder(policyName)], { folder })
      if (command === 'drift')
        return expect([exitCode, err]).toEqual([64, expect.stringContaining('--policy')])
      expect(exitCode).toBe(78)
      expect(heads(err)).toEqual([
        expect.stringMatching(
          /^site\.yaml:11:10 {2}error {2}.* must have the origin `https:\/\/gis\.example\.org`; --url replaces it with `http:\/\/127\.0\.0\.1:9\/admin`/,
        ),
        expect.stringContaining('note: the rule `here`'),
      ])
    },
  )

  test('an allowed address by --url does not violate it', async () => {
    const emulator = await anEmulator()
    filesIn(folder, {
      'site.yaml': valid,
      'licenses/site.json': '{}',
      [policyName]: onlyAt(new URL(emulator.url).origin),
    })
    const args = ['plan', inFolder('site.yaml')]
    expect((await landform(args)).exitCode).toBe(78)
    expect((await landform([...args, '--url', emulator.url])).exitCode).toBe(0)
  })
})

describe('no report may overwrite an input of the plan', () => {
  test.each(['base.yaml', 'licenses/site.json', policyName, 'a/landform.policy.yml', 'central.yaml'])(
    '%s',
    async file => {
      const emulator = await anEmulator()
      const texts = {
        'site.yaml': `extends: base.yaml\n${valid.replace('https://gis.example.org/arcgis/admin', emulator.url)}`,
        'base.yaml': 'metadata:\n  labels: { a: b }\n',
        'licenses/site.json': '{}',
        'a/x': '',
        [policyName]: rules(advice),
        'central.yaml': rules(advice),
      }
      filesIn(folder, texts)
      const plan = ['plan', inFolder('site.yaml'), '--policy', inFolder('central.yaml')]
      for (const option of ['--out', '--format=json='])
        expect(
          await landform([
            ...plan,
            ...(option === '--out' ? [option, inFolder(file)] : [option + inFolder(file)]),
          ]),
        ).toMatchObject({ exitCode: 64 })
      const invalid = valid.replace('metadata:', 'metadate:')
      writeFileSync(inFolder('invalid.yaml'), `extends: base.yaml\n${invalid}`)
      if (file === 'base.yaml')
        expect(
          (await landform(['plan', inFolder('invalid.yaml'), `--format=json=${inFolder(file)}`])).exitCode,
        ).toBe(64)
      expect((await landform([...plan, '--out', inFolder('plan.json')])).exitCode).toBe(0)
      for (const [name, text] of Object.entries(texts))
        expect(readFileSync(inFolder(name), 'utf8')).toBe(text)
      expect(existsSync(inFolder('a/landform.policy.yml'))).toBe(false)
    },
  )
})

describe('a saved plan', () => {
  const reviewed = async () => {
    const policy = inFolder('central.yaml')
    writeFileSync(policy, rules('name: team, require: { metadata.labels.team: gis }'))
    return { policy, plan: await aReviewedPlan(['--policy', policy]) }
  }
  test('is rejected if a policy was changed, removed, not named or added', async () => {
    const { policy, plan } = await reviewed()
    const text = readFileSync(policy, 'utf8')
    const moved = [expect.stringMatching(/^the file .*central\.yaml changed since it was made$/)]
    expect(await plan.applied()).toMatchObject({ exitCode: 6, moved })
    for (const other of [`${text}# reviewed\n`, text.replace('gis }', 'x }'), 'rules: [\n']) {
      writeFileSync(policy, other)
      expect(await plan.applied('--policy', policy)).toMatchObject({ exitCode: 6, moved })
    }
    writeFileSync(policy, text)
    filesIn(plan.folder, { [policyName]: rules('name: a, require: { kind: { exists: true } }') })
    const more = [expect.stringContaining(policyName)]
    expect(await plan.applied('--policy', policy)).toMatchObject({ exitCode: 6, moved: more })
  })
})
