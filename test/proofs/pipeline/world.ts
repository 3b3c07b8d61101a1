import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { git, gitEnvironment } from '../../support/git-repositories.js'
import { installed, pathWith } from '../../support/program-folder.js'
import { someSecrets } from '../../support/some-secrets.js'
import type { Place } from './shell.js'
import { type PlayedSite, playedSite } from './site.js'

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
  /** Keeps a plan for a later run. */
  keeps(file: string): void
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
export async function newWorld(folder: string, options: readonly string[] = []): Promise<World> {
  const site = await playedSite(folder, options)
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
    artifact: () => readFileSync(at('artifacts', 'plan.json'), 'utf8'),
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
          MANIFEST: 'site.yaml',
          ORIGIN: site.origin,
        },
        keeps: file => cpSync(join(work, file), at('artifacts', 'plan.json')),
        brings: () => cpSync(at('artifacts', 'plan.json'), join(work, 'chosen', 'plan.json')),
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
