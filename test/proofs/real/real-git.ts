import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { gitBackend } from '../../../src/state/git-backend.js'
import type { RecordedAnswer } from '../../support/answers/recorded.js'
import { git, gitEnvironment, hasGit } from '../../support/git-repositories.js'
import { freePort } from '../../support/http-double.js'
import { runProgram } from '../../support/program.js'
import { type Service, startService } from '../../support/real/service.js'
import { placeIn } from '../processes/place.js'
import {
  addedWhile,
  commonSituations,
  outcome,
  type RealServer,
  type Situation,
  site,
} from './real-backend.js'

/** `git daemon`, which serves every repository below a folder to everybody. */
export const gitDaemon: RealServer = {
  recording: 'git',
  packages: 'git',
  isHere: async () => hasGit,
  async start(folder) {
    const served = await serve(folder)
    const { stdout } = await runProgram('git', ['--version'])
    return {
      server: 'git daemon',
      version: /[\d.]+/.exec(stdout)?.[0] ?? 'unknown',
      async place(at, url) {
        const name = at.slice(at.lastIndexOf('/') + 1)
        const place = await placeIn(join(served.root, name), 'git', url)
        git(join(place.file, '..'), 'remote', 'set-url', 'origin', served.url(`${name}/remote.git`))
        return place
      },
      situations: await situationsOf(served),
      without: {
        'list in pages': 'one answer',
        'unavailable (503)': 'it has no such answer',
        'wrong credentials (401)': 'it asks for none',
        'too many requests (429)': 'it has no such answer',
        'expired (410)': 'it asks for no credentials',
        'too large (413, 422)': 'it has no limit',
        full: 'a full disk: the limit of a repository is its disk',
      },
      answers: () => answersOf(served),
      stop: async () => served.stop(),
    }
  },
}

interface Served {
  readonly root: string
  url(name: string): string
  /** Creates a bare repository, which accepts pushes unless a setting forbids them. */
  repository(name: string, ...settings: readonly (readonly [string, string])[]): Promise<string>
  /** Creates a repository whose remote has this address. */
  clone(name: string, address?: string): Promise<string>
  restart(): Promise<void>
  stop(): Promise<void>
}

async function serve(folder: string): Promise<Served> {
  const root = join(folder, 'served')
  await mkdir(root, { recursive: true })
  const port = await freePort()
  const url = (name: string) => `git://127.0.0.1:${port}/${name}`
  const probe = join(root, 'probe.git')
  git(root, 'init', '--quiet', '--bare', probe)
  const at = [`--base-path=${root}`, '--listen=127.0.0.1', `--port=${port}`]
  // `git daemon` would only start this program, and leave it running when killed.
  const { stdout: programs } = await runProgram('git', ['--exec-path'])
  const program = join(programs.trim(), 'git-daemon')
  const start = () =>
    startService(
      'git-daemon',
      [program, '--reuseaddr', '--export-all', '--enable=receive-pack', ...at, root],
      { folder, isReady: async () => (await runProgram('git', ['ls-remote', url('probe.git')])).code === 0 },
    )
  let daemon: Service = await start()
  return {
    root,
    url,
    async repository(name, ...settings) {
      git(root, 'init', '--quiet', '--bare', name)
      for (const [key, value] of settings) git(join(root, name), 'config', key, value)
      return url(name)
    },
    async clone(name, address = url(name)) {
      const clone = join(folder, `clone-of-${name}`)
      git(folder, 'init', '--quiet', clone)
      git(clone, 'remote', 'add', 'origin', address)
      return clone
    },
    async restart() {
      await daemon.stop()
      daemon = await start()
    },
    stop: () => daemon.stop(),
  }
}

async function situationsOf(served: Served): Promise<readonly Situation[]> {
  const open = (folder: string) =>
    gitBackend('origin', { folder, environment: gitEnvironment, deadlineMs: 60_000 })
  const added = async (folder: string) =>
    outcome(await open(folder).series(site).add({ serial: 1, text: '{}' }))
  await served.repository('state.git')
  await served.repository('closed.git', ['daemon.receivepack', 'false'])
  await served.repository('hidden.git', ['transfer.hideRefs', 'refs/landform'])
  const clone = await served.clone('state.git')
  return [
    ...commonSituations(() => open(clone)),
    {
      row: 'place missing (404)',
      expected: 'unreadable: access-denied',
      come: async () => added(await served.clone('missing.git')),
    },
    {
      row: 'no permission (403)',
      expected: 'unwritable: access-denied',
      come: async () => added(await served.clone('closed.git')),
    },
    {
      row: 'no permission (403)',
      expected: 'unwritable: ref-rejected',
      come: async () => added(await served.clone('hidden.git')),
    },
    {
      row: 'server killed and started again',
      expected: 'unreadable: unreachable',
      async come() {
        await served.stop()
        const came = outcome(await open(clone).series(site).newest())
        await served.restart()
        return came
      },
    },
    {
      row: 'server killed and started again',
      expected: 'true 5',
      come: () => addedWhile(open(clone), 'again'),
    },
  ]
}

/** Yields the outputs of git that the backend interprets. */
async function* answersOf(served: Served): AsyncGenerator<readonly [string, RecordedAnswer]> {
  await served.repository('answers.git')
  await served.repository('answers-closed.git', ['daemon.receivepack', 'false'])
  await served.repository('answers-hidden.git', ['transfer.hideRefs', 'refs/landform'])
  const clone = await served.clone('answers.git')
  git(clone, 'commit', '--quiet', '--allow-empty', '--message', 'one')
  git(clone, 'push', '--quiet', 'origin', 'HEAD:refs/landform/one')
  git(clone, 'commit', '--quiet', '--allow-empty', '--message', 'two')
  const push = (name: string) => ['push', '--porcelain', served.url(name), 'HEAD^{tree}:refs/landform/two']
  const lease = ['push', '--porcelain', '--force-with-lease=refs/landform/one:', served.url('answers.git')]
  const questions: Readonly<Record<string, readonly string[]>> = {
    'an empty listing': ['ls-remote', served.url('answers.git'), 'refs/landform/none'],
    'a repository that does not exist': ['ls-remote', served.url('missing.git')],
    'a version that exists': [...lease, 'HEAD:refs/landform/one'],
    'a push that is not served': push('answers-closed.git'),
    'a ref that is hidden': push('answers-hidden.git'),
  }
  const answer = async (words: readonly string[]): Promise<RecordedAnswer> => {
    const { code, stdout, stderr } = await runProgram('git', words, {
      cwd: clone,
      env: { ...gitEnvironment, LC_ALL: 'C' },
    })
    const without = (text: string) =>
      text.replaceAll(served.root, '/served').replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:9418')
    return { status: code, headers: {}, body: { stdout: without(stdout), stderr: without(stderr) } }
  }
  for (const [name, words] of Object.entries(questions)) yield [name, await answer(words)]
  await served.stop()
  yield ['a server that is gone', await answer(['ls-remote', served.url('answers.git')])]
  await served.restart()
}
