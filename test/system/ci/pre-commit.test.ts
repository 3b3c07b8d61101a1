import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parse, stringify } from 'yaml'
import { git, gitEnvironment, hasGit } from '../../support/git-repositories.js'
import { landformCommand } from '../../support/landform-program.js'
import { root } from '../../support/manifests.js'
import { type Ended, runProgram, runsHere } from '../../support/program.js'
import { executable } from '../../support/program-folder.js'
import { temporaryFolder } from '../../support/temporary-folder.js'
import { describeWhere, testWhere } from '../../support/test-where.js'

interface Hook {
  readonly id: string
  readonly entry: string
  readonly files?: string
  readonly language: string
  readonly pass_filenames?: boolean
}

const hooks: readonly Hook[] = parse(readFileSync(join(root, '.pre-commit-hooks.yaml'), 'utf8'))
const manifest = readFileSync(join(root, 'examples/quickstart.yaml'), 'utf8').replace('licenses/', '')
const twice = manifest.replace(/ +RELATIONAL_PRIMARY:.*\n/, '')
const fixable = manifest.replace('logLevel', 'logLevl').replace('userType: creatorUT', 'usertype: creatorUT')

/** Creates a repository; `install` adds the hook. */
async function repository(install: (folder: string) => Promise<void>) {
  const folder = await temporaryFolder()
  git(folder, 'init', '--quiet', '--initial-branch=main')
  writeFileSync(join(folder, 'site.json'), '{}')
  await install(folder)
  const commit = (files: Readonly<Record<string, string>>): Promise<Ended> => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), text)
    }
    git(folder, 'add', '.')
    const person = ['-c', 'user.name=Some One', '-c', 'user.email=some.one@example.org']
    // Prevents access to a registry.
    const offline = { npm_config_offline: 'true', npm_config_cache: join(folder, '.git', 'npm') }
    const env = {
      ...gitEnvironment,
      ...offline,
      PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
      HOME: join(folder, '.git'),
      PRE_COMMIT_HOME: join(folder, '.git', 'pre-commit'),
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'protocol.file.allow',
      GIT_CONFIG_VALUE_0: 'always',
    }
    return runProgram('git', [...person, 'commit', '--message=change'], { cwd: folder, env })
  }
  return { folder, commit }
}

test('pre-commit can install every hook, and each runs an existing command', () => {
  expect(hooks.map(({ id }) => id)).toEqual(['landform-validate', 'landform-fix', 'landform-test'])
  for (const { entry, language, files = '' } of hooks) {
    expect([language, entry.split(' ')[0]]).toEqual(['node', 'landform'])
    expect(new RegExp(files).test('sites/production/site.yaml')).toBe(true)
  }
  expect(new RegExp(hooks[0]?.files ?? '').test('site.test.yaml')).toBe(false)
})

describeWhere(hasGit, 'git')('a hook, run as pre-commit runs it', () => {
  /** Installs a hook that passes the matching changed files to its entry. */
  const plain = (id: string) => async (folder: string) => {
    const { entry, files = '', pass_filenames: isPassed = true } = hooks.find(one => one.id === id) as Hook
    const command = `${landformCommand} ${entry.replace(/^landform /, '')}`
    const changed = `git diff --cached --name-only --diff-filter=ACM | grep -E '${files}'`
    const before = 'git diff > .git/before'
    const after = 'git diff | cmp -s .git/before - || { echo "files were modified by this hook"; exit 1; }'
    const run = isPassed ? `${changed} | xargs ${command}` : `${command} </dev/null`
    const script = `${before}
${run} || exit 1
${after}`
    executable(join(folder, '.git/hooks/pre-commit'), script)
  }

  test('rejects a bad manifest with its position, and accepts the corrected one', async () => {
    const { commit } = await repository(plain('landform-validate'))
    const bad = await commit({ 'a/site.yaml': twice, 'a/site.json': '{}', 'other.yaml': 'a: 1\n' })
    expect(bad.code).not.toBe(0)
    expect(bad.stdout + bad.stderr).toMatch(
      /a\/site\.yaml:\d+:\d+ {2}error .*RELATIONAL_PRIMARY[\s\S]*\n> *\d+ \|/,
    )
    expect(bad.stdout + bad.stderr).not.toContain('other.yaml')
    expect((await commit({ 'a/site.yaml': manifest })).code).toBe(0)
  })

  test('applies unambiguous fixes, and stops for a review of them', async () => {
    const { folder, commit } = await repository(plain('landform-fix'))
    const first = await commit({ 'site.yaml': fixable })
    expect([first.code, first.stdout + first.stderr]).toEqual([1, expect.stringContaining('modified')])
    const mended = readFileSync(join(folder, 'site.yaml'), 'utf8')
    expect(mended).toBe(manifest)
    expect((await commit({})).code).toBe(0)
  })

  test('runs the tests of all manifests', async () => {
    const { commit } = await repository(plain('landform-test'))
    expect((await commit({ 'site.yaml': manifest })).code).toBe(0)
    const expecting = (diagnostics: string) =>
      `apiVersion: landform.dev/v1\nkind: SiteTest\nmanifest: site.yaml\ntests:\n  - { name: one, expect: { diagnostics: ${diagnostics} } }\n`
    const wrong = await commit({
      'site.yaml': manifest,
      'site.test.yaml': expecting('[{ code: volume/size-small }]'),
    })
    expect([wrong.code, wrong.stdout + wrong.stderr]).toEqual([
      1,
      expect.stringContaining('volume/size-small'),
    ])
    expect((await commit({ 'site.test.yaml': expecting('[]') })).code).toBe(0)
  })
})

const hasPreCommit = hasGit && (await runsHere(['pre-commit', '--version']))

testWhere(hasPreCommit, 'pre-commit')(
  'pre-commit itself installs a release from its repository without a registry, and rejects a bad manifest',
  async () => {
    const { stage } = await import(join(root, 'scripts/delivery/stage.mjs'))
    const release = await temporaryFolder()
    stage(root, '.', release)
    cpSync(join(root, '.pre-commit-hooks.yaml'), join(release, '.pre-commit-hooks.yaml'))
    git(release, 'init', '--quiet', '--initial-branch=main')
    git(release, 'add', '--force', '.')
    git(release, 'commit', '--quiet', '--message=release')
    git(release, 'tag', 'v1.0.0')
    const config = { repos: [{ repo: release, rev: 'v1.0.0', hooks: [{ id: 'landform-validate' }] }] }
    const { commit } = await repository(async folder => {
      writeFileSync(join(folder, '.pre-commit-config.yaml'), stringify(config))
      const { code, stderr } = await runProgram('pre-commit', ['install'], { cwd: folder })
      expect([code, stderr]).toEqual([0, ''])
    })
    const bad = await commit({ 'site.yaml': twice, 'other.yaml': 'a: 1\n' })
    const said = bad.stdout + bad.stderr
    expect([bad.code, said]).toEqual([1, expect.stringContaining('RELATIONAL_PRIMARY')])
    expect(said).toMatch(/check manifests\.+Failed/)
    const good = await commit({ 'site.yaml': manifest })
    expect([good.code, good.stdout + good.stderr]).toEqual([0, expect.stringContaining('Passed')])
  },
)
