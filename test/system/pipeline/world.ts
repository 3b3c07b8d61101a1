import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { emulatorProcess } from '../../support/emulator-process.js'
import { git, gitEnvironment } from '../../support/git-repositories.js'
import { landformProgram } from '../../support/landform-program.js'
import { installed, pathWith } from '../../support/program-folder.js'
import { someSecrets } from '../../support/some-secrets.js'
import type { Place } from './story.js'

/** The environment of the story: a server with a repository, machines, and a site. */
export interface World {
  readonly site: PlayedSite
  /** The machine of a developer who edits the manifest. */
  readonly laptop: Place
  /** Creates a machine with a fresh clone of a branch, as a CI system does for each job. */
  runner(branch?: string, secrets?: Readonly<Record<string, string>>): Runner
  /** Reads the plan that CI stored for later runs. */
  artifact(): string
  /** Changes a file on the laptop. */
  edit(file: string, ...changes: readonly (readonly [from: string, to: string])[]): void
  /** Returns the uncommitted changes on the laptop, as a diff without headers. */
  changes(): string
  /** Returns the number of versions of the site's state on the server. */
  versions(): number
  /** Commits all changes on the laptop to a branch, and pushes it. */
  push(branch: string, message: string): void
  /** Merges a branch, as the button of a pull request does. */
  merge(branch: string): void
  close(): void
}

export interface Runner extends Place {
  /** Stores the plans for a later run. */
  keeps(): void
  /** Restores the plans that were stored last. */
  brings(): void
  /** Returns the summary of the run. */
  summary(): string
  outputs(): string
  /** Deletes the disk of the machine. */
  dies(): void
}

/** The secrets that CI has for the job that applies. */
export const pipelineSecrets = {
  LANDFORM_ADMIN_PASSWORD: someSecrets.LANDFORM_ADMIN_PASSWORD,
  LANDFORM_SECURITY_ANSWER: someSecrets.LANDFORM_SECURITY_ANSWER,
}

/** The administrator of the created site. */
export const administrator = { username: 'siteadmin', password: someSecrets.LANDFORM_ADMIN_PASSWORD } as const

/** Gives each machine its own host name, since they all run on one. */
const naming = "require('node:os').hostname = () => process.env.RUNNER_NAME ?? 'laptop'\n"

/** Creates a world in an empty folder, with an empty repository. */
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

/** A site in a separate emulator process with the fidelity `field`, and functions that inspect it. */
interface PlayedSite {
  /** Base URL of the administrator API. */
  readonly url: string
  readonly origin: string
  /** Returns the number of accepted requests of an operation. */
  accepted(operation: 'configure' | 'update'): Promise<number>
  /** Returns the number of completed stages. */
  stagesThrough(): Promise<number>
  /** Requests a token for an account from the token service of the site. */
  token(account: { readonly username: string; readonly password: string }): Promise<string>
  /** Sets the tolerations for upgrades, as somebody does without Landform. */
  setTolerations(tolerations: readonly object[], token: string): Promise<void>
  /** Advances the site's clock by ten minutes. */
  pass(): void
  close(): void
}

interface Shown {
  readonly sites: readonly [
    { readonly through: number; readonly counters: Record<string, { readonly accepted: number }> },
  ]
}

/** Short, except for the stage in which a runner dies and is replaced, which lasts until the clock is advanced. */
const stageTimes = ['--stage-time', '30ms', '--stage-time', 'Object store=10m']

/** Makes the clock of the emulator adjustable, since the duration of the story depends on the machine. */
const clock = `
const { now } = Date
let ahead = 0
Date.now = () => now() + ahead
process.on('SIGUSR2', () => { ahead += 600_000 })
`

/** Starts a site. The script for its clock is written to `folder`. */
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
