import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Emulator } from '../../../src/emulator/emulated-site.js'
import { anEmulator } from '../../support/emulator.js'
import { writeExample } from '../../support/example-copy.js'
import { bareRepository, checkout, git, gitEnvironment, hasGit } from '../../support/git-repositories.js'
import { landform } from '../../support/landform.js'
import { someSecrets } from '../../support/some-secrets.js'
import { temporaryFolder } from '../../support/temporary-folder.js'
import { describeWhere } from '../../support/test-where.js'

let site: Emulator
let programs = ''
beforeEach(async () => {
  site = await anEmulator({ stageMs: 1 })
  programs = await temporaryFolder()
  const log = join(programs, 'log')
  writeFileSync(
    join(programs, 'git'),
    `#!/bin/sh\necho "$*" >>'${log}'\nPATH='${gitEnvironment.PATH}' exec git "$@"\n`,
  )
  chmodSync(join(programs, 'git'), 0o755)
})

/** Creates a checkout with the manifest of the site. */
async function aCheckout(bare: string): Promise<string> {
  const folder = await checkout(bare)
  writeExample(folder, { url: site.url, state: 'git:origin' })
  return folder
}

/** Runs a command in a checkout, and counts the git processes. */
async function counted(folder: string, command: string, ...options: readonly string[]) {
  const log = join(programs, 'log')
  rmSync(log, { force: true })
  const environment = {
    ...someSecrets,
    ...gitEnvironment,
    HOME: programs,
    PATH: `${programs}:${gitEnvironment.PATH}`,
  }
  const { exitCode, err } = await landform([command, join(folder, 'site.yaml'), ...options], { environment })
  expect([exitCode, err]).toEqual([0, expect.any(String)])
  const lines = readFileSync(log, 'utf8').split('\n').filter(Boolean)
  const of = (subcommand: string) => lines.filter(line => line.includes(` ${subcommand} --`)).length
  return { processes: lines.length, pushes: of('push'), polls: of('ls-remote') + of('fetch') }
}

describeWhere(hasGit, 'git')('with state in git', () => {
  test('creating a site takes four pushes, and a run without changes none', async () => {
    const bare = await bareRepository()
    const folder = await aCheckout(bare)
    const created = await counted(folder, 'apply', '--yes')
    expect(created.pushes).toBe(4)
    expect(created.processes).toBeLessThanOrEqual(20)
    const unchanged = { processes: 5, pushes: 0, polls: 2 }
    expect(await counted(folder, 'apply', '--yes')).toEqual(unchanged)
    expect(await counted(folder, 'plan')).toEqual({ processes: 4, pushes: 0, polls: 1 })
    // A checkout without any of the state, as in CI, must fetch it first.
    const other = await aCheckout(bare)
    expect(await counted(other, 'apply', '--yes')).toEqual({ processes: 6, pushes: 0, polls: 3 })
    expect(await counted(other, 'apply', '--yes')).toEqual(unchanged)
  })

  test('a site can be created at a remote without atomic pushes', async () => {
    const bare = await bareRepository()
    git(bare, 'config', 'receive.advertiseAtomic', 'false')
    const created = await counted(await aCheckout(bare), 'apply', '--yes')
    // The first push detects that.
    expect(created.pushes).toBe(8)
    expect(await counted(await aCheckout(bare), 'apply', '--yes')).toMatchObject({ pushes: 0 })
  })
})
