import { cp, mkdir, readdir, readFile, readlink, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  type CommitFolders,
  createCommitFolders,
  createManifestFinder,
} from '../../../packages/fleet/src/manifests/commit-folders.js'
import { openRepository, type Repository } from '../../../packages/fleet/src/manifests/repository.js'
import { planSite } from '../../../src/library/plan-site.js'
import { bareRepository, checkout, git, gitEnvironment, hasGit } from '../../support/git-repositories.js'
import { removeTemporaryFolders, temporaryFolder } from '../../support/temporary-folder.js'
import { describeWhere } from '../../support/test-where.js'

afterEach(removeTemporaryFolders)

const repositoryIn = (folder: string): Repository =>
  openRepository({ folder, environment: gitEnvironment, timeoutMs: 20_000 })

/** Commits files of a checkout and pushes them. */
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

/** A world with one checkout that commits, and one that reads; `now` can be set. */
async function world() {
  const bare = await bareRepository()
  const writer = await checkout(bare)
  const reader = await checkout(bare)
  const below = await temporaryFolder()
  const time = { now: Date.now() }
  const commits = createCommitFolders(repositoryIn(reader), { below, now: () => time.now })
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
  test('a commit that is only at the remote is brought, and its files are as they were committed', async () => {
    const { writer, commits } = await world()
    const files = { '.gitattributes': '*.yaml text eol=crlf filter=bad\n', 'sites/a.yaml': 'a: 1\nb: 2\n' }
    git(writer, 'config', 'filter.bad.clean', 'cat')
    const commit = await committed(writer, files)
    const folder = await folderOf(commits, commit)
    expect(await readFile(join(folder, 'sites/a.yaml'), 'utf8')).toBe(files['sites/a.yaml'])
    expect((await readdir(folder)).toSorted()).toEqual(['.git', '.gitattributes', 'sites'])
  })

  test('a server that gives no commit by its name is asked for its branches', async () => {
    const { writer, reader, commits } = await world()
    git(reader, 'config', 'protocol.version', '0')
    const commit = await committed(writer, { 'a.yaml': 'a: 1\n' })
    await committed(writer, { 'a.yaml': 'a: 2\n' })
    expect(await readFile(join(await folderOf(commits, commit), 'a.yaml'), 'utf8')).toBe('a: 1\n')
  })

  test('a commit that nobody has pushed is told as one that the remote does not have', async () => {
    const { writer, commits } = await world()
    await committed(writer, { 'a.yaml': 'a: 1\n' })
    git(writer, 'commit', '--quiet', '--no-verify', '--allow-empty', '-m', 'own')
    const made = await commits.openFolder(git(writer, 'rev-parse', 'HEAD'))
    expect(made).toEqual({ ok: false, error: 'origin does not have it' })
  })

  test('what stands in the work tree counts for nothing', async () => {
    const { writer, below } = await world()
    const commit = await committed(writer, { 'a.yaml': 'a: 1\n' })
    await writeFile(join(writer, 'a.yaml'), 'a: 2\n')
    const own = createCommitFolders(repositoryIn(writer), { below, now: Date.now })
    expect(await readFile(join(await folderOf(own, commit), 'a.yaml'), 'utf8')).toBe('a: 1\n')
  })

  test('no filter and no hook of the repository runs', async () => {
    const { writer, reader, commits, below } = await world()
    const commit = await committed(writer, { '.gitattributes': '* filter=evil\n', 'a.yaml': 'a: 1\n' })
    const trace = join(below, 'trace')
    git(reader, 'config', 'filter.evil.smudge', `touch ${trace}; cat`)
    await writeFile(join(reader, '.git/hooks/post-checkout'), `#!/bin/sh\ntouch ${trace}\n`, { mode: 0o755 })
    await folderOf(commits, commit)
    expect(await readdir(below)).not.toContain('trace')
  })

  test('a commit is read once, also when many ask at the same time', async () => {
    const { writer, reader, below } = await world()
    const commit = await committed(writer, { 'a.yaml': 'a: 1\n' })
    const repository = repositoryIn(reader)
    let read = 0
    const entries: Repository['entries'] = name => {
      read += 1
      return repository.entries(name)
    }
    const commits = createCommitFolders({ ...repository, entries }, { below, now: Date.now })
    const folders = await Promise.all([1, 2, 3].map(() => folderOf(commits, commit)))
    expect([new Set(folders).size, read]).toEqual([1, 1])
  })

  test('a commit that nobody asked for in an hour is taken away, and everything at the end', async () => {
    const { writer, commits, below, time } = await world()
    const [one, two] = [
      await committed(writer, { 'a.yaml': 'a: 1\n' }),
      await committed(writer, { 'a.yaml': 'a: 2\n' }),
    ]
    const first = await folderOf(commits, one)
    time.now += 3_600_000
    const second = await folderOf(commits, two)
    expect(await readdir(dirname(first))).toEqual([second.slice(dirname(second).length + 1)])
    expect(await readFile(join(await folderOf(commits, one), 'a.yaml'), 'utf8')).toBe('a: 1\n')
    await commits.close()
    expect(await readdir(below)).toEqual([])
  })

  test('what a process left that was killed is taken away after a day', async () => {
    const { writer, commits, below, time } = await world()
    const commit = await committed(writer, { 'a.yaml': 'a: 1\n' })
    for (const [name, hours] of [
      ['landform-commits-old', 25],
      ['landform-commits-new', 23],
      ['other', 99],
    ] as const) {
      await mkdir(join(below, name))
      await utimes(join(below, name), time.now / 1000 - hours * 3600, time.now / 1000 - hours * 3600)
    }
    await folderOf(commits, commit)
    const left = (await readdir(below)).filter(name => !/-[A-Za-z0-9]{6}$/.test(name))
    expect(left).toEqual(['landform-commits-new', 'other'])
  })

  test('a commit that nobody has is a reason, and may be there the next time', async () => {
    const { writer, commits } = await world()
    await writeFile(join(writer, 'a.yaml'), 'a: 1\n')
    git(writer, 'add', '--all')
    git(writer, 'commit', '--quiet', '-m', 'not pushed')
    const commit = git(writer, 'rev-parse', 'HEAD')
    expect(await commits.openFolder(commit)).toMatchObject({ ok: false })
    git(writer, 'push', '--quiet', 'origin', 'HEAD:main')
    expect(await commits.openFolder(commit)).toMatchObject({ ok: true })
  })

  test('a link stays a link, and nothing is written through one', async () => {
    const { writer, below } = await world()
    await symlink('/etc/hostname', join(writer, 'link'))
    const commit = await committed(writer, { 'a.yaml': 'a: 1\n' })
    const outside = await temporaryFolder()
    const repository = repositoryIn(writer)
    const hostile: Repository = {
      ...repository,
      async entries(name) {
        const entries = await repository.entries(name)
        if (!entries.ok) return entries
        const [file] = entries.value.filter(({ path }) => path === 'a.yaml')
        if (file === undefined) return entries
        const paths = ['link/x', '../x', 'b/../../x', '/x', '.GIT/config']
        return { ok: true, value: [...entries.value, ...paths.map(path => ({ ...file, path }))] }
      },
    }
    const folder = await folderOf(createCommitFolders(hostile, { below, now: Date.now }), commit)
    expect(await readlink(join(folder, 'link'))).toBe('/etc/hostname')
    expect((await readdir(folder)).toSorted()).toEqual(['.git', 'a.yaml', 'link'])
    expect(await readdir(outside)).toEqual([])
  })

  test('a worker plans with the manifest, the base and the policy of the commit, and with files beside its clone', async () => {
    const { writer, reader, commits } = await world()
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
    const find = createManifestFinder(reader, commits)
    const planned = async (name: string) => {
      const found = await find({ manifest: 'sites/one.yaml', commit: name })
      if (!found.ok) throw new Error(found.error.message)
      return planSite({
        ...found.value,
        environment: { LANDFORM_TOKEN: 'x', LANDFORM_SECURITY_ANSWER: 'y' },
      })
    }
    expect(await planned(commit)).toMatchObject({ ok: false, error: { kind: 'manifest' } })
    expect(await planned(free)).toMatchObject({ ok: false, error: { kind: 'references' } })
    await cp('examples/licenses', join(reader, 'licenses'), { recursive: true })
    // Nothing listens there.
    expect(await planned(free)).toMatchObject({ ok: false, error: { kind: 'look' } })
  })
})

test.each(['../out.yaml', 'a/../../out.yaml'])('%s is no manifest of a worker', async manifest => {
  const folder = await temporaryFolder()
  const never: CommitFolders = {
    openFolder: async () => ({ ok: true as const, value: folder }),
    close: async () => undefined,
  }
  const find = createManifestFinder(join(folder, 'sites'), never)
  expect(await find({ manifest })).toMatchObject({ ok: false, error: { exitCode: 65 } })
})
