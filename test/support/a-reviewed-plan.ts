import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../../src/cli/run.js'
import type { Emulator, EmulatorOptions } from '../../src/emulator/emulated-site.js'
import { canonical, digestCanonical } from '../../src/plan/canonical.js'
import { anEmulator } from './emulator.js'
import { fakeHost } from './fake-host.js'
import { someSecrets } from './some-secrets.js'
import { temporaryFolder } from './temporary-folder.js'
import { virtualClock } from './virtual-clock.js'

/** A folder with a manifest in two files, its license and a saved plan, and the plan's site. */
export interface ReviewedPlan {
  readonly folder: string
  readonly plan: string
  emulator(): Emulator
  /** Runs a command on the clock that the site uses. */
  landform(
    ...args: readonly string[]
  ): Promise<{ readonly exitCode: number; readonly out: string; readonly err: string }>
  /** Applies the plan. Returns the exit code and the facts that changed since it was made. */
  applied(...options: readonly string[]): Promise<{
    readonly exitCode: number
    readonly moved: readonly string[]
    readonly err: string
  }>
  /** Replaces a text in a file of the folder. */
  edit(file: string, from: string | RegExp, to: string): void
  /** Starts another site at the same address. */
  replaceSite(options: EmulatorOptions): Promise<void>
  /** Changes the content of the plan, and its id accordingly. */
  forge(change: (plan: Record<string, unknown>) => void): void
  pass(milliseconds: number): void
}

/** Saves a plan of `examples/environments/production` for a new site. */
export async function aReviewedPlan(options: readonly string[] = []): Promise<ReviewedPlan> {
  const folder = await temporaryFolder()
  cpSync('examples/environments', folder, { recursive: true })
  // The policy allows no loopback site, and requires settings that tests change.
  rmSync(join(folder, 'landform.policy.yaml'))
  // Makes the folder a repository, as a manifest may extend files in folders above it only within one.
  mkdirSync(join(folder, '.git'))
  const clock = virtualClock()
  const timing = { now: clock.now, stageMs: 10 }
  let emulator = await anEmulator(timing)
  const address = new URL(emulator.url)
  const manifest = join(folder, 'production/site.yaml')
  const plan = join(folder, 'plan.json')
  const landform: ReviewedPlan['landform'] = async (...args) => {
    const host = { ...fakeHost({ environment: someSecrets }), clock }
    return { exitCode: await run(args, host), out: host.out(), err: host.err() }
  }
  const edit: ReviewedPlan['edit'] = (file, from, to) => {
    const path = join(folder, file)
    const text = readFileSync(path, 'utf8')
    const edited = text.replace(from, to)
    if (edited === text) throw new Error(`nothing to edit in ${file}`)
    writeFileSync(path, edited)
  }
  edit('base.yaml', 'state: git:origin', '# no state')
  edit('production/site.yaml', /https:[^ ]*admin/, emulator.url)
  const made = await landform('plan', manifest, '--out', plan, ...options)
  if (made.exitCode !== 0) throw new Error(made.err)
  return {
    folder,
    plan,
    landform,
    edit,
    emulator: () => emulator,
    pass: clock.pass,
    async applied(...more) {
      const { exitCode, out, err } = await landform('apply', plan, '--format', 'json', ...more)
      const { error } = JSON.parse(out) as { readonly error?: { readonly moved?: readonly string[] } }
      return { exitCode, moved: error?.moved ?? [], err }
    },
    async replaceSite(others) {
      await emulator.close()
      emulator = await anEmulator({
        ...timing,
        ...others,
        basePath: address.pathname,
        port: Number(address.port),
      })
    },
    forge(change) {
      const { id: _, ...content } = JSON.parse(readFileSync(plan, 'utf8')) as Record<string, unknown>
      change(content)
      writeFileSync(plan, canonical({ ...content, id: digestCanonical(content) }))
    },
  }
}
