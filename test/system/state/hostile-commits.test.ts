import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { openRepository } from '../../../packages/fleet/src/manifests/repository.js'
import { fileBackend } from '../../../src/state/file-backend.js'
import { gitBackend } from '../../../src/state/git-backend.js'
import { moveState } from '../../../src/state/move-state.js'
import { anEmulator } from '../../support/emulator.js'
import { writeExample } from '../../support/example-copy.js'
import {
  bareRepository,
  checkout,
  git,
  gitBackendIn,
  gitEnvironment,
  hasGit,
} from '../../support/git-repositories.js'
import { landform } from '../../support/landform.js'
import { someSecrets } from '../../support/some-secrets.js'
import { statePortsFor } from '../../support/some-state.js'
import { temporaryFolder } from '../../support/temporary-folder.js'
import { describeWhere } from '../../support/test-where.js'

const describeWithGit = describeWhere(hasGit, 'git')
const site = 'https://gis.example.org/arcgis/admin'
const first = { serial: 1, text: '{"n":1}' }
const made = { ok: true, value: true }

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  chmodSync(file, 0o755)
}

/** Creates a checkout whose manifest can be applied, and a command that logs its arguments and the secrets that it gets. */
async function aWorld() {
  const emulator = await anEmulator({ stageMs: 0 })
  const bare = await bareRepository()
  const folder = await checkout(bare)
  const log = join(await temporaryFolder(), 'ran')
  const command = `${log}.sh`
  write(command, `#!/bin/sh\necho "$0 $*" >>'${log}'\nenv | grep LANDFORM >>'${log}'\nexit 1\n`)
  const environment = { ...gitEnvironment, ...someSecrets, HOME: await temporaryFolder() }
  return {
    url: emulator.url,
    bare,
    folder,
    command,
    environment,
    /** Writes a file of the commit. */
    write: (name: string, text: string) => write(join(folder, name), text),
    run: (...words: readonly string[]) => landform(words, { environment, folder }),
    ran: () => (existsSync(log) ? readFileSync(log, 'utf8') : ''),
    configures: () => emulator.world().counters.configure.received,
  }
}

type World = Awaited<ReturnType<typeof aWorld>>

/** Writes ordinary files that git treats as a repository. */
function writeBareRepository({ write, command }: World, below: string): void {
  write(`${below}HEAD`, 'ref: refs/heads/main\n')
  write(`${below}objects/.keep`, '')
  write(`${below}refs/.keep`, '')
  const settings = [
    `[core]\n\trepositoryformatversion = 0\n\tbare = true\n\tsshCommand = ${command}\n\tfsmonitor = ${command}`,
    `\taskPass = ${command}\n\tgitProxy = ${command}\n\talternateRefsCommand = ${command}\n\tpager = ${command}`,
    '\thooksPath = hooks',
    `[remote "origin"]\n\turl = ssh://x.invalid/y.git\n\tuploadpack = ${command}\n\treceivepack = ${command}`,
    `[credential]\n\thelper = "!${command}"`,
    `[filter "x"]\n\tclean = ${command}\n\tsmudge = ${command}`,
    '[protocol "ext"]\n\tallow = always',
    `[url "ext::${command} "]\n\tinsteadOf = file://`,
  ]
  write(`${below}config`, `${settings.join('\n')}\n`)
  for (const hook of ['pre-push', 'reference-transaction', 'pre-receive'])
    write(`${below}hooks/${hook}`, `#!/bin/sh\n${command}\n`)
}

/** Writes a pointer into a folder with state, as the author of a commit can. */
async function moveByHand(from: string, to: string, url: string): Promise<string> {
  const name = 'quickstart'
  const away = join(await temporaryFolder(), 'away')
  const ends = {
    from: { backend: fileBackend(from.slice('file:'.length)), url, place: { state: from } },
    to: { backend: fileBackend(away), url, place: { state: to } },
  }
  return (await moveState({ name, ...ends }, statePortsFor(Date.now))).kind
}

const kinds: readonly (readonly [string, (world: World) => void])[] = [
  ['a repository beside the manifest', world => writeBareRepository(world, 'sites/one/')],
  ['a repository between the manifest and the top', world => writeBareRepository(world, 'sites/')],
  ['a repository at the top', world => writeBareRepository(world, '')],
  [
    'a repository that a link leads to',
    world => {
      writeBareRepository(world, 'elsewhere/')
      symlinkSync('../elsewhere', join(world.folder, 'sites/one'))
    },
  ],
  [
    'programs with the names of those that git starts',
    ({ write, command }) => {
      const names = ['git', 'ssh', 'git-remote-file', 'git-upload-pack', 'git-receive-pack', 'git-x']
      for (const name of names)
        for (const below of ['', 'sites/one/']) write(`${below}${name}`, `#!/bin/sh\n${command}\n`)
    },
  ],
  [
    'hooks in a folder that the clone names, and a hook of the clone',
    ({ folder, write, command }) => {
      git(folder, 'config', 'core.hooksPath', '.githooks')
      for (const hook of ['pre-push', 'reference-transaction', 'post-index-change', 'post-checkout'])
        for (const below of ['.githooks/', '.git/hooks/'])
          write(`${below}${hook}`, `#!/bin/sh\n${command}\nexit 0\n`)
    },
  ],
  [
    'attributes that name a filter of the clone',
    ({ folder, write, command }) => {
      git(folder, 'config', 'filter.x.clean', `${command}; cat`)
      git(folder, 'config', 'filter.x.smudge', `${command}; cat`)
      git(folder, 'config', 'diff.x.textconv', command)
      write('.gitattributes', '* filter=x diff=x merge=x\n')
    },
  ],
  [
    'submodules',
    ({ folder, write, command }) => {
      git(folder, 'config', 'submodule.recurse', 'true')
      git(folder, 'config', 'push.recurseSubmodules', 'on-demand')
      write('.gitmodules', `[submodule "x"]\n\tpath = x\n\turl = ext::${command}\n\tupdate = !${command}\n`)
      git(folder, 'update-index', '--add', '--cacheinfo', `160000,${git(folder, 'rev-parse', 'HEAD')},x`)
    },
  ],
  [
    'configuration in the files that programs read',
    ({ write, command }) => {
      for (const below of ['', 'sites/one/']) {
        write(`${below}.gitconfig`, `[core]\n\tsshCommand = ${command}\n[alias]\n\tpush = !${command}\n`)
        write(`${below}.lfsconfig`, `[lfs]\n\turl = ext::${command}\n`)
        write(`${below}.ssh/config`, `Host *\n\tProxyCommand ${command}\n`)
      }
    },
  ],
]

describeWithGit('a commit', () => {
  test.each(kinds)('with %s runs 0 commands', async (_kind, bring) => {
    const world = await aWorld()
    const { bare, folder, environment } = world
    mkdirSync(join(folder, 'sites'))
    bring(world)
    mkdirSync(join(folder, 'sites/one'), { recursive: true })
    const file = writeExample(join(folder, 'sites/one'), { url: world.url, state: 'git:origin' })
    // Everything can be committed by an author whose own git runs none of it.
    const author = ['-c', 'core.hooksPath=/dev/null', '-c', 'filter.x.clean=cat', '-c', 'filter.x.smudge=cat']
    git(folder, ...author, 'add', '--all', '--force')
    git(folder, ...author, 'commit', '--quiet', '--no-verify', '-m', 'hostile')
    git(folder, ...author, 'push', '--quiet', '--no-verify', '--recurse-submodules=no', 'origin', 'HEAD:main')
    const commit = git(folder, 'rev-parse', 'HEAD')
    const codes: number[] = []
    for (const words of [['plan'], ['apply', '--yes'], ['plan'], ['drift'], ['state', 'show']])
      codes.push((await world.run(...words, file)).exitCode)
    const commits = openRepository(dirname(file), { environment, clock: Date }, await temporaryFolder())
    const opened = await commits.openFolder(commit)
    await commits.close()
    expect([world.ran(), codes, opened.ok, world.configures()]).toEqual(['', [0, 0, 0, 0, 0], true, 1])
    expect(git(bare, 'for-each-ref', 'refs/landform').split('\n')).toHaveLength(3)
  })

  test.each<[string, (world: World) => string]>([
    [
      'a repository in the commit, whose hooks would run at a push',
      world => {
        git(world.folder, 'init', '--quiet', '--bare', '--template=', 'sites/one/remote')
        return `git:${join(world.folder, 'sites/one/remote')}`
      },
    ],
    ['a URL, to which a program of the clone would connect', () => 'git:ssh://x.invalid/y.git'],
  ])('with a pointer to %s ends with 78 and runs 0 commands', async (_kind, bring) => {
    const world = await aWorld()
    const { url, folder, command, run } = world
    mkdirSync(join(folder, 'sites/one'), { recursive: true })
    const file = writeExample(join(folder, 'sites/one'), { url, state: 'file:state' })
    expect((await run('apply', '--yes', file)).exitCode).toBe(0)
    // The author moves the state to a folder, with any target in the pointer.
    const state = `file:${join(folder, 'sites/one/state')}`
    const to = bring(world)
    expect(await moveByHand(state, to, url)).toBe('moved')
    git(folder, 'config', 'core.sshCommand', command)
    for (const hook of ['pre-receive', 'update', 'reference-transaction', 'post-receive'])
      world.write(`sites/one/remote/hooks/${hook}`, `#!/bin/sh\n${command}\n`)
    const codes: number[] = []
    for (const words of [['plan'], ['apply', '--yes'], ['drift'], ['state', 'show']]) {
      const { exitCode, err } = await run(...words, file)
      codes.push(exitCode)
      expect(err).toMatch(/it moved to git:\S+, which is a URL or a path/)
      expect(err).toContain('`--state`')
    }
    expect([world.ran(), codes, world.configures()]).toEqual(['', [78, 78, 78, 78], 1])
  })

  test('after a move to a URL, later runs name it by option, and find the state', async () => {
    const { url, bare, folder, run } = await aWorld()
    const file = writeExample(folder, { url, state: 'file:state' })
    expect((await run('apply', '--yes', file)).exitCode).toBe(0)
    const moved = await run('state', 'move', `file:${folder}/state`, `git:file://${bare}`, file)
    expect([moved.exitCode, moved.err]).toEqual([
      0,
      expect.stringContaining(`pass \`--state git:file://${bare}\` to every command`),
    ])
    expect((await run('plan', file)).exitCode).toBe(78)
    writeFileSync(file, readFileSync(file, 'utf8').replace(/^ {2}state:.*\n/m, ''))
    const planned = await run('plan', '--detailed-exitcode', file, '--state', `git:file://${bare}`)
    expect([planned.exitCode, planned.err]).toEqual([0, expect.anything()])
  })

  test.each(['.git', '.GIT', '.Git', 'git~1', '.g\u200cit'])(
    'cannot have a path with the name %j',
    async name => {
      const folder = await checkout(await bareRepository())
      const blob = git(folder, 'rev-parse', 'HEAD')
      const settings = ['-c', 'core.protectHFS=true', '-c', 'core.protectNTFS=true']
      for (const path of [`${name}/config`, `sites/${name}`, `sites/${name}/config`])
        expect(() =>
          git(folder, ...settings, 'update-index', '--add', '--cacheinfo', `100644,${blob},${path}`),
        ).toThrow(/Invalid path/)
    },
  )
})

describeWithGit('the clone of the user', () => {
  test('may name the connecting program, which gets no secret of the site', async () => {
    const folder = await checkout(await bareRepository())
    const log = join(await temporaryFolder(), 'ran')
    write(`${log}.sh`, `#!/bin/sh\nenv >>'${log}'\nexit 1\n`)
    git(folder, 'config', 'core.sshCommand', `${log}.sh`)
    git(folder, 'remote', 'set-url', 'origin', 'ssh://x.invalid/y.git')
    const environment = { ...gitEnvironment, ...someSecrets }
    const { newest } = gitBackend('origin', { folder, environment, deadlineMs: 20_000 }).series(site)
    expect(await newest()).toMatchObject({ ok: false })
    const ran = readFileSync(log, 'utf8')
    expect(ran).toContain('PATH=')
    expect(ran).not.toContain('LANDFORM')
  })

  test('is found from a subfolder, a linked work tree, a submodule and through a link', async () => {
    const bare = await bareRepository()
    const folder = await checkout(bare)
    const away = await temporaryFolder()
    mkdirSync(join(folder, 'a/b'), { recursive: true })
    git(folder, 'worktree', 'add', '--quiet', '--detach', join(away, 'tree'))
    git(folder, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', `file://${bare}`, 'sub')
    symlinkSync(join(folder, 'a'), join(away, 'link'))
    expect(await gitBackendIn(folder).series(site).add(first)).toEqual(made)
    const places = [join(folder, 'a/b'), join(away, 'tree'), join(folder, 'sub'), join(away, 'link/b')]
    for (const place of places)
      expect([place, await gitBackendIn(place).series(site).newest()]).toEqual([
        place,
        { ok: true, value: first },
      ])
  })

  test('may name its remote by a path relative to its top folder', async () => {
    const bare = await bareRepository()
    const folder = await checkout(bare)
    mkdirSync(join(folder, 'sites'))
    git(folder, 'remote', 'set-url', 'origin', join('..', '..', bare.slice(dirname(dirname(bare)).length)))
    git(folder, 'ls-remote', 'origin')
    expect(await gitBackendIn(join(folder, 'sites')).series(site).add(first)).toEqual(made)
  })

  test('of another user is used only if git allows it', async () => {
    const folder = await checkout(await bareRepository())
    const tree = join(await temporaryFolder(), 'tree')
    git(folder, 'worktree', 'add', '--quiet', '--detach', tree)
    const environment = { ...gitEnvironment, GIT_TEST_ASSUME_DIFFERENT_OWNER: '1' }
    const newest = (more: Readonly<Record<string, string>>) =>
      gitBackend('origin', { folder: tree, environment: { ...environment, ...more }, deadlineMs: 20_000 })
        .series(site)
        .newest()
    expect(await newest({})).toMatchObject({ ok: false, error: { reason: { cause: 'other-owner' } } })
    const config = join(await temporaryFolder(), 'config')
    writeFileSync(config, `[safe]\n\tdirectory = *\n`)
    expect(await newest({ GIT_CONFIG_GLOBAL: config })).toMatchObject({ ok: true })
  })
})
