import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describeStateReason } from '../../../src/report/state-reasons.js'
import { gitBackend } from '../../../src/state/git-backend.js'
import {
  bareRepository,
  checkout,
  git,
  gitBackendIn,
  gitEnvironment,
  hasGit,
} from '../../support/git-repositories.js'
import { httpDouble } from '../../support/http-double.js'
import { temporaryFolder } from '../../support/temporary-folder.js'
import { describeWhere } from '../../support/test-where.js'
import { gitServer } from './git-server.js'

const describeWithGit = describeWhere(hasGit, 'git')
const site = 'https://gis.example.org/arcgis/admin'
const first = { serial: 1, text: '{"n":1}' }
const made = { ok: true, value: true }

/** Returns everything that a user can see in a checkout, except the refs of the last seen state. */
async function traces(folder: string) {
  const inside = await readdir(join(folder, '.git'), { recursive: true })
  const config = await readFile(join(folder, '.git', 'config'), 'utf8')
  const shallow = await readFile(join(folder, '.git', 'shallow'), 'utf8').catch(() => undefined)
  const isSeen = /(?:^|\/)landform-seen(?:\/|$)/
  const refs = git(folder, 'for-each-ref').split('\n')
  return {
    files: inside.filter(name => !name.startsWith('objects') && !isSeen.test(name)).sort(),
    refs: refs.filter(line => !isSeen.test(line)),
    status: git(folder, 'status', '--porcelain', '--ignored'),
    config,
    shallow,
  }
}

/** Returns a checkout whose remote carries out pushes without answering them. */
async function checkoutLosingAnswers(bare: string): Promise<string> {
  const server = await gitServer(bare, 'Basic c29tZTpvbmU=')
  const folder = await checkout(bare)
  git(folder, 'remote', 'set-url', 'origin', server.url)
  git(folder, 'config', `http.${server.url}.extraheader`, 'Authorization: Basic c29tZTpvbmU=')
  server.losePushAnswers()
  return folder
}

describeWithGit('a checkout', () => {
  test('reports the address of its remote without credentials', async () => {
    const folder = await checkout(await bareRepository())
    git(folder, 'remote', 'set-url', 'origin', 'https://some:one@git.example.org/sites.git')
    expect(await gitBackendIn(folder).address?.()).toBe('https://***@git.example.org/sites.git')
  })

  test.each<[string, readonly string[]]>([
    ['whole', []],
    ['shallow', ['--depth=1']],
    ['partial', ['--filter=blob:none']],
  ])('that is %s shares state, and shows only the last seen refs of it', async (_what, options) => {
    const bare = await bareRepository()
    git(bare, 'config', 'uploadpack.allowFilter', 'true')
    const theirs = gitBackendIn(await checkout(bare)).series(site)
    const folder = await checkout(bare, ...options)
    git(folder, 'checkout', '--quiet', '--detach')
    const before = await traces(folder)
    const mine = gitBackendIn(folder).series(site)
    expect(await theirs.add(first)).toEqual(made)
    expect(await mine.newest()).toEqual({ ok: true, value: first })
    expect(await mine.add({ serial: 2, text: 'two' })).toEqual(made)
    expect(await theirs.newest()).toEqual({ ok: true, value: { serial: 2, text: 'two' } })
    expect(await traces(folder)).toEqual(before)
    const seen = git(folder, 'for-each-ref', '--format=%(objectname)', 'refs/landform-seen').split('\n')
    expect(seen).toEqual([git(bare, 'for-each-ref', '--format=%(objectname)', 'refs/landform')])
  })

  test('may track every ref', async () => {
    const bare = await bareRepository()
    const tracking = ['--config=remote.origin.fetch=+refs/*:refs/remotes/all/*', '--config=fetch.prune=true']
    const folder = await checkout(bare, ...tracking)
    const mine = gitBackendIn(folder).series(site)
    const theirs = gitBackendIn(await checkout(bare)).series(site)
    expect(await mine.add(first)).toEqual(made)
    expect(await theirs.add({ serial: 2, text: 'two' })).toEqual(made)
    expect(await mine.add({ serial: 3, text: 'three' })).toEqual(made)
    expect(git(folder, 'for-each-ref', 'refs/remotes/all/heads')).not.toBe('')
  })

  test('may have hooks, none of which runs', async () => {
    // A push updates the tracked refs, and that runs a hook, too.
    const tracking = '--config=remote.origin.fetch=+refs/*:refs/remotes/all/*'
    const folder = await checkout(await bareRepository(), tracking)
    const hooks = ['pre-push', 'reference-transaction', 'post-checkout', 'push-to-checkout']
    for (const hook of hooks) {
      const path = join(folder, '.git', 'hooks', hook)
      await writeFile(path, `#!/bin/sh\ntouch '${folder}/hook-ran'\nexit 1\n`)
      await chmod(path, 0o755)
    }
    expect(await gitBackendIn(folder).series(site).add(first)).toEqual(made)
    expect(await readdir(folder)).toEqual(['.git'])
  })

  test('is found from a folder inside it, and a path is relative to the run', async () => {
    const bare = await bareRepository()
    const folder = await checkout(bare)
    await mkdir(join(folder, 'sites', 'one'), { recursive: true })
    expect(
      await gitBackendIn(join(folder, 'sites', 'one'))
        .series(site)
        .add(first),
    ).toEqual(made)
    expect(await gitBackendIn(join(folder, 'sites'), bare).series(site).newest()).toEqual({
      ok: true,
      value: first,
    })
  })

  test('supports several concurrent runs', async () => {
    const bare = await bareRepository()
    const folder = await checkout(bare, '--depth=1')
    const sites = [1, 2, 3, 4].map(one => `https://${one}.example.org/x`)
    await Promise.all(
      sites.map(async one => {
        const series = gitBackendIn(folder).series(one)
        for (const serial of [1, 2, 3]) expect(await series.add({ serial, text: one })).toEqual(made)
      }),
    )
    const again = gitBackendIn(await checkout(bare))
    for (const one of sites)
      expect(await again.series(one).newest()).toEqual({ ok: true, value: { serial: 3, text: one } })
  })
})

const spoils: readonly (readonly [string, (bare: string, ref: string) => void])[] = [
  ['removed', (bare, ref) => git(bare, 'update-ref', '-d', ref)],
  ['set back', (bare, ref) => git(bare, 'update-ref', ref, `${ref}~1`)],
  ['replaced', (bare, ref) => git(bare, 'update-ref', ref, 'main')],
]

describeWithGit('the remote', () => {
  test('has one ref for each site, with a commit by Landform for each version', async () => {
    const bare = await bareRepository()
    const series = gitBackendIn(await checkout(bare)).series(site)
    await series.add(first)
    await series.add({ serial: 2, text: 'two', title: 'submission: intent' })
    const refs = git(bare, 'for-each-ref', '--format=%(refname)').split('\n')
    expect(refs).toEqual([
      'refs/heads/main',
      expect.stringMatching(/^refs\/landform\/gis\.example\.org-[0-9a-f]{12}$/),
    ])
    const [, ref = ''] = refs
    expect(git(bare, 'log', '--format=%an %cn %s', ref).split('\n')).toEqual([
      'Landform Landform submission: intent',
      'Landform Landform State of a site',
    ])
    expect(git(bare, 'show', `${ref}:state.json`)).toBe('two')
    expect(git(bare, 'show', `${ref}~1:state.json`)).toBe(first.text)
  })

  test.each(spoils)(
    'is rejected by the run that wrote it if the ref was %s, even without a note',
    async (_what, spoil) => {
      const bare = await bareRepository()
      const folder = await checkout(bare)
      const series = gitBackendIn(folder).series(site)
      await series.add(first)
      await series.add({ serial: 2, text: 'two' })
      spoil(bare, series.where.split(' ')[1] ?? '')
      git(
        folder,
        'update-ref',
        '-d',
        git(folder, 'for-each-ref', '--format=%(refname)', 'refs/landform-seen'),
      )
      const damaged = { ok: false, error: { kind: 'damaged' } }
      expect(await series.newest()).toMatchObject(damaged)
      expect(await series.all()).toMatchObject(damaged)
      expect((await series.add({ serial: 3, text: 'three' })).ok).toBe(false)
    },
  )

  test.each(spoils)(
    'is rejected by a later run of the same clone if the ref was %s meanwhile',
    async (_what, spoil) => {
      const bare = await bareRepository()
      const folder = await checkout(bare)
      const other = gitBackendIn(await checkout(bare)).series(site)
      await other.add(first)
      await other.add({ serial: 2, text: 'two' })
      expect(await gitBackendIn(folder).series(site).newest()).toMatchObject({ ok: true })
      spoil(bare, other.where.split(' ')[1] ?? '')
      const later = gitBackendIn(folder).series(site)
      const found = await later.newest()
      expect(found).toMatchObject({ ok: false, error: { kind: 'damaged' } })
      expect((await later.add({ serial: 1, text: 'one' })).ok).toBe(false)
      // The command in the message removes the note, for users who changed the ref on purpose.
      const command =
        /git (update-ref -d \S+)\)/.exec(found.ok ? '' : describeStateReason(found.error.reason))?.[1] ?? ''
      git(folder, ...command.split(' '))
      expect(await later.newest()).not.toEqual(found)
    },
  )

  test('may be ahead of the versions that a clone saw, and notes of two remotes of one site are independent', async () => {
    const [bare, copy] = [await bareRepository(), await bareRepository()]
    const folder = await checkout(bare)
    const mine = () => gitBackendIn(folder).series(site)
    expect(await mine().add(first)).toEqual(made)
    expect(
      await gitBackendIn(await checkout(bare))
        .series(site)
        .add({ serial: 2, text: 'two' }),
    ).toEqual(made)
    expect(await gitBackendIn(folder, copy).series(site).newest()).toEqual({ ok: true, value: undefined })
    expect(await mine().newest()).toEqual({ ok: true, value: { serial: 2, text: 'two' } })
  })

  test('can be used from a repository that cannot record what it saw', async () => {
    const folder = await checkout(await bareRepository())
    await writeFile(join(folder, '.git', 'refs', 'landform-seen'), 'in the way')
    expect(await gitBackendIn(folder).series(site).add(first)).toEqual(made)
    expect(await gitBackendIn(folder).series(site).newest()).toEqual({ ok: true, value: first })
  })

  test('is rejected if a commit contains something else', async () => {
    const bare = await bareRepository()
    const { where } = gitBackendIn(bare, bare).series(site)
    git(bare, 'update-ref', where.split(' ')[1] ?? '', 'main')
    const series = gitBackendIn(await checkout(bare)).series(site)
    expect(await series.newest()).toMatchObject({ ok: false, error: { kind: 'damaged' } })
  })

  test('determines the outcome of a push whose response was lost', async () => {
    const bare = await bareRepository()
    const folder = await checkoutLosingAnswers(bare)
    const series = gitBackendIn(folder).series(site)
    expect(await series.add(first)).toEqual(made)
    expect(await series.newest()).toEqual({ ok: true, value: first })
  })
})

describeWithGit('versions of several sites', () => {
  const others = ['https://one.example.org/admin', 'https://two.example.org/admin']
  const additions = others.map(other => ({ site: other, version: first }))
  const newest = async (bare: string) => {
    const backend = gitBackendIn(await checkout(bare))
    return Promise.all(others.map(other => backend.series(other).newest()))
  }
  const there = { ok: true, value: first }

  test('are added in one push, all or none', async () => {
    const bare = await bareRepository()
    const mine = gitBackendIn(await checkout(bare))
    // Another run adds a version of one site first, so the push below is outdated.
    expect(await Promise.all(others.map(other => mine.series(other).newest()))).toHaveLength(2)
    await gitBackendIn(await checkout(bare))
      .series('https://two.example.org/admin')
      .add(first)
    expect(await mine.addTogether?.(additions)).toEqual({ ok: true, value: 0 })
    expect(await newest(bare)).toEqual([{ ok: true, value: undefined }, there])
    const next = [additions[0], { site: others[1], version: { serial: 2, text: 'two' } }]
    expect(await mine.addTogether?.(next as typeof additions)).toEqual({ ok: true, value: 2 })
    expect(await newest(bare)).toEqual([there, { ok: true, value: { serial: 2, text: 'two' } }])
  })

  test('are added one after the other at a remote without atomic pushes, up to one that exists', async () => {
    const bare = await bareRepository()
    git(bare, 'config', 'receive.advertiseAtomic', 'false')
    const mine = gitBackendIn(await checkout(bare))
    expect(await mine.addTogether?.(additions)).toEqual({ ok: true, value: 2 })
    expect(await newest(bare)).toEqual([there, there])
    const next = [
      { site: others[0] ?? '', version: { serial: 2, text: 'two' } },
      { site: others[1] ?? '', version: first },
    ]
    const theirs = gitBackendIn(await checkout(bare))
    expect(await theirs.addTogether?.(next)).toEqual({ ok: true, value: 0 })
    expect(await mine.addTogether?.(next)).toEqual({ ok: true, value: 1 })
  })

  test('whose response was lost are found', async () => {
    const bare = await bareRepository()
    const folder = await checkoutLosingAnswers(bare)
    expect(await gitBackendIn(folder).addTogether?.(additions)).toEqual({ ok: true, value: 2 })
    expect(await newest(bare)).toEqual([there, there])
  })
})

describeWithGit('a push that the remote accepted and then lost', () => {
  async function lose() {
    const bare = await bareRepository()
    const folder = await checkout(bare)
    const series = () => gitBackendIn(folder).series(site)
    expect(await series().add(first)).toEqual(made)
    const ref = git(bare, 'for-each-ref', '--format=%(refname)', 'refs/landform')
    const before = git(bare, 'rev-parse', ref)
    expect(await series().add({ serial: 2, text: 'two' })).toEqual(made)
    git(bare, 'update-ref', ref, before)
    const reply = await series().newest()
    if (reply.ok) throw new Error('the remote has it')
    const other = gitBackendIn(await checkout(bare)).series(site)
    expect(await other.newest()).toEqual({ ok: true, value: first })
    const words = describeStateReason(reply.error.reason)
    expect(words).toContain('it lost a push that it had accepted')
    const commands = [...words.matchAll(/: git ((?:push|update-ref) [^ ()]+ [^ ()]+)/g)].map(
      ([, words = '']) => words,
    )
    return { folder, series, commands: commands.map(command => command.split(' ')) }
  }

  test('is restored by the first command of the message', async () => {
    const { folder, series, commands } = await lose()
    git(folder, ...(commands[0] ?? []))
    expect(await series().newest()).toEqual({ ok: true, value: { serial: 2, text: 'two' } })
  })

  test('is abandoned by the second', async () => {
    const { folder, series, commands } = await lose()
    git(folder, ...(commands[1] ?? []))
    expect(await series().newest()).toEqual({ ok: true, value: first })
  })
})

describeWithGit('credentials', () => {
  const header = 'Authorization: Basic c29tZTpvbmU='

  test.each<[string, (folder: string, url: string) => Promise<unknown> | unknown]>([
    [
      'the configuration of the checkout',
      (folder, url) => git(folder, 'config', `http.${url}.extraheader`, header),
    ],
    [
      'a file that this configuration includes',
      async (folder, url) => {
        const file = join(await temporaryFolder(), 'credentials.config')
        git(folder, 'config', '--file', file, `http.${url}.extraheader`, header)
        git(folder, 'config', `includeIf.gitdir:${folder}/.git.path`, file)
      },
    ],
  ])('are taken from %s', async (_where, give) => {
    const bare = await bareRepository()
    const server = await gitServer(bare, header.slice('Authorization: '.length))
    const folder = await checkout(bare)
    git(folder, 'remote', 'set-url', 'origin', server.url)
    await give(folder, server.url)
    const series = gitBackendIn(folder).series(site)
    expect(await series.add(first)).toEqual(made)
    expect(
      await gitBackendIn(await checkout(bare))
        .series(site)
        .newest(),
    ).toEqual({ ok: true, value: first })
  })

  test('that are wrong are reported, but not shown', async () => {
    const bare = await bareRepository()
    const server = await gitServer(bare, 'Basic c29tZTpvbmU=')
    const address = server.url.replace('//', '//canary-token@')
    const backend = gitBackendIn(await checkout(bare), address)
    const replies = [await backend.series(site).newest(), await backend.series(site).all()]
    for (const reply of replies) {
      expect(reply).toMatchObject({
        ok: false,
        error: { kind: 'unreadable', reason: { cause: 'access-denied' } },
      })
    }
    expect(JSON.stringify([replies, backend.where, backend.series(site).where])).not.toContain('canary')
  })

  test.each([
    'canary@127.0.0.1:1/x.git',
    'canary/token@127.0.0.1:1/x.git',
    '127.0.0.1:1/x.git?private_token=canary',
  ])('in the address of a remote are removed from the output of git: http://%s', async address => {
    const folder = await checkout(await bareRepository())
    git(folder, 'remote', 'set-url', 'origin', `http://${address}`)
    const reply = await gitBackendIn(folder).series(site).newest()
    expect(reply).toMatchObject({ ok: false, error: { reason: { kind: 'git', said: expect.anything() } } })
    expect(JSON.stringify(reply)).not.toContain('canary')
  })

  test('of the site are not passed to git, and the environment does not redirect it', async () => {
    const folder = await checkout(await bareRepository())
    const programs = await temporaryFolder()
    const seen = join(programs, 'seen')
    await writeFile(
      join(programs, 'git'),
      `#!/bin/sh\nenv >>'${seen}'\nPATH='${process.env['PATH']}' exec git "$@"\n`,
    )
    await chmod(join(programs, 'git'), 0o755)
    const environment = {
      ...gitEnvironment,
      PATH: `${programs}:${process.env['PATH']}`,
      LANDFORM_TOKEN: 'canary',
      GIT_DIR: '/nowhere',
      GIT_INDEX_FILE: '/nowhere',
      GIT_TRACE: '1',
      GIT_AUTHOR_NAME: 'nobody',
      GIT_SSH_COMMAND: 'kept',
    }
    const backend = gitBackend('origin', { folder, environment, deadlineMs: 20_000 })
    expect(await backend.series(site).add(first)).toEqual(made)
    const told = await readFile(seen, 'utf8')
    expect(told).toContain('GIT_SSH_COMMAND=kept')
    expect(told).not.toMatch(/canary|nowhere|nobody|GIT_TRACE/)
  })
})

describeWithGit('errors of git are distinguished', () => {
  /** Returns a checkout and a remote with a fault. */
  type Spoil = (
    bare: string,
  ) => Promise<{ readonly folder: string; readonly remote?: string; readonly path?: string }>

  test.each<[string, string, Spoil]>([
    ['no git', 'not-installed', async bare => ({ folder: await checkout(bare), path: '/nowhere' })],
    ['no repository', 'no-repository', async () => ({ folder: await temporaryFolder() })],
    ['no such remote', 'no-remote', async bare => ({ folder: await checkout(bare), remote: 'upstream' })],
    [
      'a path without a repository',
      'no-remote',
      async bare => ({ folder: await checkout(bare), remote: '/nowhere' }),
    ],
    [
      'an unreachable address',
      'unreachable',
      async bare => ({ folder: await checkout(bare), remote: 'https://127.0.0.1:1/x.git' }),
    ],
  ])('%s', async (_what, cause, spoil) => {
    const { folder, remote = 'origin', path } = await spoil(await bareRepository())
    const environment = { ...gitEnvironment, ...(path !== undefined && { PATH: path }) }
    const paused: number[] = []
    const pause = async (ms: number) => void paused.push(ms)
    const series = gitBackend(remote, { folder, environment, deadlineMs: 20_000, pause }).series(site)
    const failure = { kind: 'unreadable', reason: { kind: 'git', cause } }
    expect(await series.newest()).toMatchObject({ ok: false, error: failure })
    expect(await series.all()).toMatchObject({ ok: false, error: failure })
    // A server that restarts is available again after some seconds.
    const once = cause === 'unreachable' ? [200, 500, 1000, 2000, 4000] : []
    expect(paused).toEqual([...once, ...once])
  })

  test.each<[string, string, (bare: string) => Promise<unknown> | unknown]>([
    [
      'a remote that hides such refs',
      'ref-rejected',
      bare => git(bare, 'config', 'receive.hideRefs', 'refs/landform'),
    ],
    [
      'a remote whose hook rejects the push',
      'ref-rejected',
      async bare => {
        await writeFile(join(bare, 'hooks', 'pre-receive'), '#!/bin/sh\necho "not \u001b[31mhere"\nexit 1\n')
        await chmod(join(bare, 'hooks', 'pre-receive'), 0o755)
      },
    ],
  ])('%s', async (_what, cause, spoil) => {
    const bare = await bareRepository()
    await spoil(bare)
    const series = gitBackendIn(await checkout(bare)).series(site)
    expect(await series.newest()).toEqual({ ok: true, value: undefined })
    const failure = { kind: 'unwritable', reason: { kind: 'git', cause } }
    expect(await series.add(first)).toMatchObject({ ok: false, error: failure })
    expect(await series.newest()).toEqual({ ok: true, value: undefined })
  })

  test('a remote that never responds', async () => {
    const { port } = await httpDouble([])
    const folder = await checkout(await bareRepository())
    const series = gitBackendIn(folder, `git://127.0.0.1:${port}/x`, 300).series(site)
    expect(await series.newest()).toMatchObject({
      ok: false,
      error: { reason: { kind: 'git', cause: 'timeout' } },
    })
  })
})
