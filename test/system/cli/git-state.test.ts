import { readdir } from 'node:fs/promises'
import { exitCodes } from '../../../src/report/exit-code.js'
import { anEmulator } from '../../support/emulator.js'
import { writeExample } from '../../support/example-copy.js'
import { bareRepository, checkout, git, gitEnvironment, hasGit } from '../../support/git-repositories.js'
import { landform } from '../../support/landform.js'
import { someSecrets } from '../../support/some-secrets.js'
import { describeWhere } from '../../support/test-where.js'

const shared = ['--state', 'git:origin']

/** Creates a checkout with a manifest of a site, as on a new runner. */
async function runner(bare: string, url: string) {
  const folder = await checkout(bare, '--depth=1')
  const file = writeExample(folder, { url })
  const environment = { ...gitEnvironment, ...someSecrets }
  const before = await readdir(folder)
  return {
    folder,
    before,
    run: (command: string, ...args: readonly string[]) => landform([command, file, ...args], { environment }),
  }
}

describeWhere(hasGit, 'git')('--state git:REMOTE', () => {
  test('two runners share state, and leave nothing in their checkouts', async () => {
    const emulator = await anEmulator({ stageMs: 0 })
    const bare = await bareRepository()
    const one = await runner(bare, emulator.url)
    expect((await one.run('apply', '--yes', ...shared)).exitCode).toBe(exitCodes.done)
    const other = await runner(bare, emulator.url)
    expect((await other.run('plan', '--detailed-exitcode', ...shared)).exitCode).toBe(exitCodes.done)
    const alone = ['--state', `file:${other.folder}/.git/none`]
    expect((await other.run('plan', '--detailed-exitcode', ...alone)).exitCode).toBe(exitCodes.changes)
    expect((await other.run('apply', '--yes', ...shared)).exitCode).toBe(exitCodes.done)
    expect(emulator.world().counters.configure.received).toBe(1)
    for (const { folder, before } of [one, other]) expect(await readdir(folder)).toEqual(before)
    // The ref of the site, one that maps its name to the address, and one that maps the declared path to the site.
    expect(git(bare, 'for-each-ref', 'refs/landform').split('\n')).toHaveLength(3)
    const told = git(bare, 'log', '-p', '--all')
    for (const secret of Object.values(someSecrets)) expect(told).not.toContain(secret)
  })

  test('with a missing remote, apply ends with 74 and sends nothing', async () => {
    const emulator = await anEmulator({ stageMs: 0 })
    const { folder, run } = await runner(await bareRepository(), emulator.url)
    git(folder, 'remote', 'set-url', 'origin', '/nowhere')
    const { exitCode, err } = await run('apply', '--yes', ...shared)
    expect(exitCode).toBe(exitCodes.state)
    expect(err).toContain('the remote does not exist')
    expect(emulator.world().counters.configure.received).toBe(0)
  })
})
