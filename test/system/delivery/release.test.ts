import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { actionStep } from '../../support/action-step.js'
import { git, hasGit } from '../../support/git-repositories.js'
import { root } from '../../support/manifests.js'
import { temporaryFolder } from '../../support/temporary-folder.js'
import { describeWhere } from '../../support/test-where.js'

interface ReleaseScripts {
  readonly problems: (root: string) => readonly string[]
  readonly tagCommit: (root: string, look: (folder: string) => void) => string
}

const script = (name: string): Promise<ReleaseScripts> => import(join(root, 'scripts/release', name))
const { problems } = await script('problems.mjs')
const { tagCommit } = await script('tag-commit.mjs')

/** Creates a repository with the files of a release, as after a build, and an unused version. */
async function scratch(): Promise<string> {
  const folder = await temporaryFolder()
  const files = [
    '.gitignore',
    'CHANGELOG.md',
    'action.yml',
    'examples',
    'package.json',
    'package-lock.json',
    'packages/fleet/package.json',
    'packages/fleet/dist',
  ]
  for (const name of [...files, 'dist/bin', 'dist/lib', 'dist/sbom.cdx.json', 'dist/THIRD-PARTY-NOTICES.txt'])
    cpSync(join(root, name), join(folder, name), { recursive: true })
  for (const file of ['package.json', 'packages/fleet/package.json'])
    change(folder, file, text =>
      text
        .replace(/"version": ".*?"/, '"version": "9.8.7"')
        .replace(/"landform": "[\d.]+"/, '"landform": "9.8.7"')
        .replaceAll('/OWNER/', '/acme/'),
    )
  change(folder, 'CHANGELOG.md', text => text.replace('## Unreleased', '## 9.8.7 - 2030-01-02'))
  git(folder, 'init', '--quiet', '--initial-branch=main')
  git(folder, 'config', 'user.name', 'Some One')
  git(folder, 'config', 'user.email', 'some.one@example.org')
  commit(folder)
  return folder
}

function change(folder: string, file: string, edit: (text: string) => string): void {
  writeFileSync(join(folder, file), edit(readFileSync(join(folder, file), 'utf8')))
}

function commit(folder: string): void {
  git(folder, 'add', '.')
  git(folder, 'commit', '--quiet', '--message=ready')
}

describeWhere(hasGit, 'git')('a release', () => {
  let repository = ''
  beforeAll(async () => {
    repository = await scratch()
  })

  test('is rejected with a message for each missing preparation', () => {
    expect(problems(repository)).toEqual([])
    change(repository, 'CHANGELOG.md', text => text.replace('## 9.8.7 - 2030-01-02', '## Unreleased'))
    expect(problems(repository)).toEqual([
      expect.stringMatching(/^these files are not committed:\n M CHANGELOG\.md$/),
      'CHANGELOG.md has no heading "## 9.8.7 - YYYY-MM-DD"',
    ])
    change(repository, 'package.json', text => text.replaceAll('/acme/', '/OWNER/'))
    change(repository, 'packages/fleet/package.json', text => text.replace('"9.8.7"', '"9.8.6"'))
    commit(repository)
    git(repository, 'tag', 'v9.8.7')
    expect(problems(repository).slice(1)).toEqual([
      'the tag v9.8.7 is there already',
      'packages/fleet/package.json is not of version 9.8.7, or does not go with it',
      expect.stringMatching(/^OWNER in each package\.json is to be replaced/),
    ])
    git(repository, 'tag', '--delete', 'v9.8.7')
    git(repository, 'reset', '--quiet', '--hard', 'HEAD^')
  })

  test('is a separate commit, and leaves the working tree and the branch unchanged', () => {
    const before = [git(repository, 'rev-parse', 'HEAD'), git(repository, 'status', '--porcelain')]
    const made = tagCommit(repository, () => undefined)
    expect([git(repository, 'rev-parse', 'HEAD'), git(repository, 'status', '--porcelain')]).toEqual(before)
    expect(git(repository, 'rev-parse', `${made}^`)).toBe(before[0])
    const added = git(repository, 'diff', '--name-status', 'HEAD', made, '--', '.', ':!dist/lib').split('\n')
    expect(added.sort()).toEqual([
      'A\tdist/THIRD-PARTY-NOTICES.txt',
      ...readdirSync(join(root, 'dist/bin')).map(name => `A\tdist/bin/${name}`),
      'A\tdist/sbom.cdx.json',
      ...['THIRD-PARTY-NOTICES.txt', 'index.cjs', 'locked/package-lock.json', 'locked/package.json'].map(
        name => `A\tpackages/fleet/dist/${name}`,
      ),
      'A\tpackages/fleet/dist/sbom.cdx.json',
      'D\tpackage-lock.json',
      'M\tpackage.json',
    ])
    const manifest = JSON.parse(git(repository, 'show', `${made}:package.json`))
    expect(Object.keys(manifest).filter(name => /private|scripts|ependencies/.test(name))).toEqual([])
  })

  test('runs the GitHub action from a fresh checkout of its tag', async () => {
    git(
      repository,
      'tag',
      'v9.8.7',
      tagCommit(repository, () => undefined),
    )
    const checkout = join(await temporaryFolder(), 'action')
    git(repository, 'clone', '--quiet', '--depth=1', '--branch=v9.8.7', `file://${repository}`, checkout)
    const inputs = { command: 'validate', files: 'examples/quickstart.yaml' }
    const step = await actionStep(inputs, { release: checkout, workspace: checkout })
    expect(step).toMatchObject({ exitCode: 0, outputs: { exitcode: '0' } })
  })

  test('gets no tag if its content does not run', () => {
    expect(() =>
      tagCommit(repository, () => {
        throw new Error('it does not run')
      }),
    ).toThrow('it does not run')
  })
})
