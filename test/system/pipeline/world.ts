import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { emulatorProcess } from '../../support/emulator-process.js'
import { git, gitEnvironment } from '../../support/git-repositories.js'
import { landformProgram } from '../../support/landform-program.js'
import { installed, pathWith } from '../../support/program-folder.js'
import { someSecrets } from '../../support/some-secrets.js'
import type { Place } from './story.js'

/** Everything that the story happens in: a server with a repository, machines, and a site. */
export interface World {
  readonly site: PlayedSite
  /** The machine of somebody who works on the manifest. */
  readonly laptop: Place
  /** A new machine with a fresh clone of a branch, as a CI system gives one to each job. */
  runner(branch?: string, secrets?: Readonly<Record<string, string>>): Runner
  /** What CI keeps of a run for a later one. */
  artifact(): string
  /** Changes a file on the laptop. */
  edit(file: string, ...changes: readonly (readonly [from: string, to: string])[]): void
  /** What was changed on the laptop since its last commit, as a diff without its head. */
  changes(): string
  /** How many versions the server has of what is kept about the site. */
  versions(): number
  /** Commits all changes on the laptop, to a branch, and pushes it. */
  push(branch: string, message: string): void
  /** What the button of a pull request does. */
  merge(branch: string): void
  close(): void
}

export interface Runner extends Place {
  /** Keeps the plans for a later run. */
  keeps(): void
  /** Brings the plan that was kept last. */
  brings(): void
  /** What the steps added to the summary of the run, and told later steps. */
  summary(): string
  outputs(): string
  /** The disk of the machine, and all that is on it, is gone. */
  dies(): void
}

/** The secrets that CI keeps for the job that applies. */
export const pipelineSecrets = {
  LANDFORM_ADMIN_PASSWORD: someSecrets.LANDFORM_ADMIN_PASSWORD,
  LANDFORM_SECURITY_ANSWER: someSecrets.LANDFORM_SECURITY_ANSWER,
}

/** Who administers the site once it is there. */
export const administrator = { username: 'siteadmin', password: someSecrets.LANDFORM_ADMIN_PASSWORD } as const

/** Each machine has a name of its own, since these all run on one. */
const naming = "require('node:os').hostname = () => process.env.RUNNER_NAME ?? 'laptop'\n"

/** Makes a world in an empty folder, with a repository that has one commit. */
export async function newWorld(folder: string): Promise<World> {
  const site = await playedSite(folder)
  const server = join(folder, 'server.git')
  const at = (...names: readonly string[]) => join(folder, ...names)
  for (const name of ['artifacts', 'home', 'runners']) mkdirSync(at(name))
  writeFileSync(at('naming.cjs'), naming)
  const person = { NAME: 'Some One', EMAIL: 'some.one@example.org' }
  const machine = {
    ...gitEnvironment,
    PATH: pathWith(at('bin'), installed),
    HOME: at('home'),
    NODE_OPTIONS: `--require=${at('naming.cjs')}`,
    ...Object.fromEntries(
      Object.entries(person).flatMap(([name, value]) => [
        [`GIT_AUTHOR_${name}`, value],
        [`GIT_COMMITTER_${name}`, value],
      ]),
    ),
  }
  git(folder, 'init', '--quiet', '--bare', '--initial-branch=main', server)
  git(folder, 'clone', '--quiet', server, 'laptop')
  const laptop: Place = { name: 'laptop', folder: at('laptop'), environment: machine }
  const here = (...words: readonly string[]) => git(laptop.folder, ...words)
  let runners = 0
  return {
    site,
    laptop,
    artifact: () => readFileSync(at('artifacts', 'plans', 'production.plan.json'), 'utf8'),
    runner(branch = 'main', secrets = {}) {
      runners += 1
      const name = `runner-${runners}`
      const disk = at('runners', name)
      mkdirSync(disk)
      git(disk, 'clone', '--quiet', '--depth=1', `--branch=${branch}`, `file://${server}`, 'work')
      const told = { GITHUB_OUTPUT: join(disk, 'output'), GITHUB_STEP_SUMMARY: join(disk, 'summary') }
      for (const file of Object.values(told)) writeFileSync(file, '')
      const work = join(disk, 'work')
      return {
        name,
        folder: work,
        environment: {
          ...machine,
          ...told,
          ...secrets,
          CI: 'true',
          GITHUB_ACTIONS: 'true',
          RUNNER_NAME: name,
          MANIFESTS: 'site.yaml',
          LANDFORM_ALLOWED_ORIGINS: site.origin,
          SITE: 'production',
          manifest: 'site.yaml',
        },
        keeps: () => cpSync(join(work, 'plans'), at('artifacts', 'plans'), { recursive: true }),
        brings: () => cpSync(at('artifacts', 'plans'), join(work, 'plans'), { recursive: true }),
        summary: () => readFileSync(told.GITHUB_STEP_SUMMARY, 'utf8'),
        outputs: () => readFileSync(told.GITHUB_OUTPUT, 'utf8'),
        dies: () => rmSync(disk, { recursive: true }),
      }
    },
    edit(file, ...changes) {
      const path = join(laptop.folder, file)
      const text = readFileSync(path, 'utf8')
      const edited = changes.reduce((now, [from, to]) => {
        if (!now.includes(from)) throw new Error(`${file} does not say ${from}`)
        return now.replace(from, () => to)
      }, text)
      writeFileSync(path, edited)
    },
    changes() {
      const lines = here('diff', '--unified=0', '--no-color').split('\n')
      return lines.filter(line => /^[-+](?![-+]{2} )/.test(line)).join('\n')
    },
    versions() {
      const ref = git(server, 'for-each-ref', '--format=%(refname)', 'refs/landform/127.0.0.1*')
      return ref === '' ? 0 : Number(git(server, 'rev-list', '--count', ref))
    },
    push(branch, message) {
      here('checkout', '--quiet', '-B', branch)
      here('add', '--all')
      here('commit', '--quiet', `--message=${message}`)
      here('push', '--quiet', 'origin', branch)
    },
    merge(branch) {
      here('checkout', '--quiet', 'main')
      here('merge', '--quiet', '--no-ff', '--no-edit', branch)
      here('push', '--quiet', 'origin', 'main')
    },
    close: () => site.close(),
  }
}

/** A site that a process of its own plays, as public sources report it, and what can be found out about it. */
interface PlayedSite {
  /** Base URL of its administrator API. */
  readonly url: string
  readonly origin: string
  /** How many requests of an operation were carried out. */
  accepted(operation: 'configure' | 'update'): Promise<number>
  /** How many of the fourteen stages are complete. */
  stagesThrough(): Promise<number>
  /** A token for who has an account, as its token service gives them. */
  token(account: { readonly username: string; readonly password: string }): Promise<string>
  /** What somebody does who is not Landform: sets what upgrades tolerate. */
  setTolerations(tolerations: readonly object[], token: string): Promise<void>
  /** Lets ten minutes go by. */
  pass(): void
  close(): void
}

interface Shown {
  readonly sites: readonly [
    { readonly through: number; readonly counters: Record<string, { readonly accepted: number }> },
  ]
}

/** Short, but for one in the middle, in which a runner dies and is replaced: that one takes as long as the story does. */
const stageTimes = ['--stage-time', '30ms', '--stage-time', 'Object store=10m']

/** The same program with a clock that can be put forward, since nobody knows how long the machines of a story take. */
const clock = `
const { now } = Date
let ahead = 0
Date.now = () => now() + ahead
process.on('SIGUSR2', () => { ahead += 600_000 })
`

/** Starts a site; `folder` is where its clock is kept. */
async function playedSite(folder: string): Promise<PlayedSite> {
  const preload = join(folder, 'clock.cjs')
  writeFileSync(preload, clock)
  const words = ['--fidelity', 'field', '--base-path', '/arcgis/admin', ...stageTimes]
  const emulator = await emulatorProcess(words, 1, {
    command: [process.execPath, '--require', preload, landformProgram],
  })
  const [url = ''] = emulator.urls
  const { origin } = new URL(url)
  const shown = async () => {
    const answer = await fetch(`${origin}/_emulator/state.json`)
    return ((await answer.json()) as Shown).sites[0]
  }
  const sent = async (address: string, fields: Readonly<Record<string, string>>) => {
    const answer = await fetch(address, {
      method: 'POST',
      body: new URLSearchParams({ f: 'json', ...fields }),
    })
    const body = (await answer.json()) as { readonly error?: object; readonly token?: string }
    if (body.error !== undefined) throw new Error(`${address}: ${JSON.stringify(body.error)}`)
    return body
  }
  return {
    url,
    origin,
    accepted: async operation => (await shown()).counters[operation]?.accepted ?? 0,
    stagesThrough: async () => (await shown()).through,
    async token(account) {
      const address = `${origin}/arcgis/sharing/rest/generateToken`
      const { token } = await sent(address, { ...account, client: 'referer', referer: url })
      return token ?? ''
    },
    async setTolerations(tolerations, token) {
      const upgradeConfig = JSON.stringify({ podPlacementPolicy: { nodeAffinity: {}, tolerations } })
      await sent(`${url}/system/upgrades/config/update`, { upgradeConfig, token })
    },
    pass: () => emulator.kill('SIGUSR2'),
    close: () => emulator.kill(),
  }
}
