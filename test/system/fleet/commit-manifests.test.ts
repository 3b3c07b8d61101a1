import { execFileSync } from 'node:child_process'
import { cp, mkdir, readdir, readFile, readlink, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openWorkerManifests } from '../../../packages/fleet/src/commands/worker.js'
import { openRepository } from '../../../packages/fleet/src/manifests/repository.js'
import { planSite } from '../../../src/library/plan-site.js'
import { fakeHost } from '../../support/fake-host.js'
import { bareRepository, checkout, git, gitEnvironment, hasGit } from '../../support/git-repositories.js'
import { temporaryFolder } from '../../support/temporary-folder.js'
import { describeWhere } from '../../support/test-where.js'

const repositoryIn = (folder: string, below: string, now: () => number = Date.now) =>
  openRepository(folder, { environment: gitEnvironment, clock: { now } }, below)

/** Commits files in a checkout, and pushes the commit. */
async function committed(folder: string, files: Readonly<Record<string, string>>): Promise<string> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
  git(folder, 'add', '--all')
  git(folder, 'commit', '--quiet', '--no-verify', '-m', 'files')
  git(folder, 'push', '--quiet', 'origin', 'HEAD:main')
  return git(folder, 'rev-parse', 'HEAD')
}

type CraftedEntry = readonly [mode: string, name: string, object: string]

/** Writes objects that git itself never creates. */
function craftIn(cwd: string) {
  const write = (type: string, input: string | Buffer) =>
    execFileSync('git', ['hash-object', '-t', type, '-w', '--literally', '--stdin'], { cwd, input })
      .toString()
      .trim()
  const tree = (...entries: readonly CraftedEntry[]) =>
    write(
      'tree',
      Buffer.concat(
        entries.flatMap(([mode, name, object]) => [
          Buffer.from(`${mode} ${name}\0`),
          Buffer.from(object, 'hex'),
        ]),
      ),
    )
  return Object.assign(write, { tree })
}

/** Creates a checkout that commits, and one that reads, with a clock that can be set. */
async function world() {
  const bare = await bareRepository()
  const writer = await checkout(bare)
  const reader = await checkout(bare)
  const below = await temporaryFolder()
  const time = { now: Date.now() }
  const commits = repositoryIn(reader, below, () => time.now)
  return { writer, reader, below, time, commits }
}

async function folderOf(
  commits: Awaited<ReturnType<typeof world>>['commits'],
  commit: string,
): Promise<string> {
  const made = await commits.openFolder(commit)
  if (!made.ok) throw new Error(made.error)
  return made.value
}

describeWhere(hasGit, 'git')('manifests of a commit', () => {
  test('a commit of the remote is fetched', async () => {
    const { writer, commits } = await world()
    const commit = await committed(writer, { 'sites/a.yaml': 'a: 1\n' })
    const folder = await folderOf(commits, commit)
    expect(await readFile(join(folder, 'sites/a.yaml'), 'utf8')).toBe('a: 1\n')
    expect((await readdir(folder)).toSorted()).toEqual(['.git', 'sites'])
  })

  test('files have their committed content, without conversions by attributes or configuration', async () => {
    const { writer, reader, commits } = await world()
    const files = {
      '.gitattributes':
        '[attr]all text eol=crlf ident filter=bad working-tree-encoding=UTF-16\n*.yaml all\n*.yml text eol=crlf ident\n',
      'a.yaml': '$Id$\nb: 2\n',
      'b.yml': '$Id$\nb: 2\n',
      'c.txt': 'b: 2\n',
    }
    for (const name of ['.gitattributes', 'a.yaml', 'b.yml', 'c.txt'] as const)
      await writeFile(join(writer, name), files[name])
    await mkdir(join(writer, '.git/info'), { recursive: true })
    await writeFile(join(writer, '.git/info/attributes'), '* -text -ident -filter !working-tree-encoding\n')
    const commit = await committed(writer, {})
    git(reader, 'config', 'core.autocrlf', 'true')
    git(reader, 'config', 'filter.bad.smudge', 'tr a-z A-Z')
    await mkdir(join(reader, '.git/info'), { recursive: true })
    await writeFile(join(reader, '.git/info/attributes'), '*.txt text eol=crlf filter=bad\n')
    const folder = await folderOf(commits, commit)
    for (const [name, text] of Object.entries(files))
      expect([name, await readFile(join(folder, name), 'utf8')]).toEqual([name, text])
  })

  test('a partial clone fetches missing files', async () => {
    const { writer, below } = await world()
    const commit = await committed(writer, { 'a.yaml': 'a: 1\n' })
    const origin = git(writer, 'remote', 'get-url', 'origin')
    git(fileURLToPath(origin), 'config', 'uploadpack.allowFilter', 'true')
    const partial = join(await temporaryFolder(), 'partial')
    git('.', 'clone', '--quiet', '--filter=blob:none', '--no-checkout', origin, partial)
    const commits = repositoryIn(partial, below)
    expect(await readFile(join(await folderOf(commits, commit), 'a.yaml'), 'utf8')).toBe('a: 1\n')
  })

  test('branches are fetched from a server that does not allow fetching a commit', async () => {
    const { writer, reader, commits } = await world()
    git(reader, 'config', 'protocol.version', '0')
    const commit = await committed(writer, { 'a.yaml': 'a: 1\n' })
    await committed(writer, { 'a.yaml': 'a: 2\n' })
    expect(await readFile(join(await folderOf(commits, commit), 'a.yaml'), 'utf8')).toBe('a: 1\n')
  })

  test('the work tree is not read', async () => {
    const { writer, below } = await world()
    const commit = await committed(writer, { 'a.yaml': 'a: 1\n' })
    await writeFile(join(writer, 'a.yaml'), 'a: 2\n')
    const own = repositoryIn(writer, below)
    expect(await readFile(join(await folderOf(own, commit), 'a.yaml'), 'utf8')).toBe('a: 1\n')
  })

  test('a commit is checked out once, even for concurrent callers', async () => {
    const { writer, reader, below } = await world()
    const commit = await committed(writer, { 'a.yaml': 'a: 1\n' })
    const commits = repositoryIn(reader, below)
    const folders = await Promise.all([1, 2, 3].map(() => folderOf(commits, commit)))
    expect(new Set(folders).size).toBe(1)
    expect(await readdir(below)).toEqual([basename(folders[0] ?? '')])
  })

  test('a commit is removed a day after its last use, and all of them at the end', async () => {
    const { writer, commits, below, time } = await world()
    const [one, two] = [
      await committed(writer, { 'a.yaml': 'a: 1\n' }),
      await committed(writer, { 'a.yaml': 'a: 2\n' }),
    ]
    const first = await folderOf(commits, one)
    time.now += 24 * 3_600_000 + 1000
    const second = await folderOf(commits, two)
    expect(first).not.toBe(second)
    expect(await readdir(below)).toEqual([basename(second)])
    expect(await readFile(join(await folderOf(commits, one), 'a.yaml'), 'utf8')).toBe('a: 1\n')
    await commits.close()
    expect(await readdir(below)).toEqual([])
  })

  test('the folders of a process that was killed are removed a day after their last use', async () => {
    const { writer, commits, below, time } = await world()
    const commit = await committed(writer, { 'a.yaml': 'a: 1\n' })
    for (const [name, minutes] of [
      ['landform-commit-old', 24 * 60 + 1],
      ['landform-commit-new', 24 * 60 - 1],
      ['other', 9999],
    ] as const) {
      await mkdir(join(below, name))
      await utimes(join(below, name), time.now / 1000 - minutes * 60, time.now / 1000 - minutes * 60)
    }
    const own = await folderOf(commits, commit)
    expect((await readdir(below)).toSorted()).toEqual(
      [basename(own), 'landform-commit-new', 'other'].toSorted(),
    )
  })

  test('a commit that is not on the remote is an error until it is pushed', async () => {
    const { writer, commits } = await world()
    await writeFile(join(writer, 'a.yaml'), 'a: 1\n')
    git(writer, 'add', '--all')
    git(writer, 'commit', '--quiet', '-m', 'not pushed')
    const commit = git(writer, 'rev-parse', 'HEAD')
    expect(await commits.openFolder(commit)).toEqual({ ok: false, error: 'origin does not have it' })
    git(writer, 'push', '--quiet', 'origin', 'HEAD:main')
    expect(await commits.openFolder(commit)).toMatchObject({ ok: true })
  })

  test('a symbolic link is checked out as a link', async () => {
    const { writer, commits } = await world()
    await symlink('/etc/hostname', join(writer, 'link'))
    const commit = await committed(writer, { 'a.yaml': 'a: 1\n' })
    const folder = await folderOf(commits, commit)
    expect(await readlink(join(folder, 'link'))).toBe('/etc/hostname')
    expect((await readdir(folder)).toSorted()).toEqual(['.git', 'a.yaml', 'link'])
  })

  test('a crafted commit writes no file outside its folder', async () => {
    const { writer, below, commits } = await world()
    const outside = await temporaryFolder()
    const craft = craftIn(writer)
    const file = craft('blob', 'a: 1\n')
    const inner = craft.tree(['100644', 'x', file])
    const link = ['120000', 'link', craft('blob', outside)] as const
    const trees = [
      [link, ['40000', 'link', inner]],
      [['40000', 'link', inner], link],
      [link, ['100644', 'link/x', file]],
      [['40000', '..', inner]],
      [['100644', '../x', file]],
      [['40000', '.GIT', inner]],
      [['100644', `${outside}/x`, file]],
    ] as const
    for (const tree of trees) {
      const commit = git(writer, 'commit-tree', '-m', 'crafted', craft.tree(...tree))
      git(writer, 'push', '--quiet', 'origin', `${commit}:refs/heads/crafted-${commit}`)
      const made = await commits.openFolder(commit)
      if (made.ok) expect((await readdir(made.value)).toSorted()).toEqual(['.git', 'link'])
    }
    expect(await readdir(outside)).toEqual([])
    expect((await readdir(below)).every(name => name.startsWith('landform-commit-'))).toBe(true)
  })

  test('a worker plans with the manifest, the base and the policy of the commit, and with secret files beside its clone', async () => {
    const { writer, reader } = await world()
    const text = await readFile('examples/quickstart.yaml', 'utf8')
    const base = text.replace(/url: https:\S*/, 'url: http://127.0.0.1:9/admin')
    const commit = await committed(writer, {
      'base.yaml': base,
      'sites/one.yaml': 'extends: ../base.yaml\nmetadata: { name: one }\n',
      'landform.policy.yaml':
        '{ apiVersion: landform.dev/v1, kind: SitePolicy, rules: [{ name: r, require: { metadata.name: two } }] }',
    })
    await rm(join(writer, 'landform.policy.yaml'))
    const free = await committed(writer, {})
    const environment = { ...gitEnvironment, LANDFORM_TOKEN: 'x', LANDFORM_SECURITY_ANSWER: 'y' }
    const manifests = openWorkerManifests({ folder: reader, policies: [] }, fakeHost({ environment }))
    const planned = async (name: string) => {
      const found = await manifests.openManifest({ manifest: 'sites/one.yaml', commit: name })
      if (!found.ok) throw new Error(found.error.message)
      return planSite(found.value)
    }
    expect(await planned(commit)).toMatchObject({ ok: false, error: { kind: 'manifest' } })
    expect(await planned(free)).toMatchObject({ ok: false, error: { kind: 'references' } })
    await cp('examples/licenses', join(reader, 'licenses'), { recursive: true })
    // No server listens at its address.
    expect(await planned(free)).toMatchObject({ ok: false, error: { kind: 'look' } })
    await manifests.close()
  })
})

test.each(['../out.yaml', 'a/../../out.yaml'])('%s is rejected as the path of a manifest', async manifest => {
  const folder = join(await temporaryFolder(), 'sites')
  const { openManifest } = openWorkerManifests({ folder, policies: [] }, fakeHost({}))
  expect(await openManifest({ manifest })).toMatchObject({ ok: false, error: { exitCode: 65 } })
})
