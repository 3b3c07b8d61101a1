import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Emulator } from '../../../src/emulator/emulated-site.js'
import { wrapLines } from '../../../src/report/terminal.js'
import { aFault, anEmulator } from '../../support/emulator.js'
import { writeExample } from '../../support/example-copy.js'
import { bareRepository, checkout, gitEnvironment, hasGit } from '../../support/git-repositories.js'
import { landform } from '../../support/landform.js'
import { root } from '../../support/manifests.js'
import { describeDatabase } from '../../support/postgres.js'
import { postgresState } from '../../support/postgres-state.js'
import { someSecrets } from '../../support/some-secrets.js'
import { temporaryFolder } from '../../support/temporary-folder.js'
import { describeWhere } from '../../support/test-where.js'

/*
 * Applies again after a request with unknown outcome, in two clones on one machine: with each kind of state, declared in the
 * manifest and given by the option, in both orders. In every session the service receives `configure` once. The sessions with
 * state in a folder are in the page in test/transcripts/; `UPDATE_GOLDEN=1` rewrites it.
 */
const page = join(root, 'test/transcripts/second-request.md')

let emulator: Emulator

/** Creates two clones of a repository with a manifest, as on a separate machine. */
async function twoClones(state: string | undefined, more: Readonly<Record<string, string>> = {}) {
  emulator = await anEmulator({ faults: [aFault('configure@1=drop-before')] })
  const { url } = emulator
  const bare = hasGit ? await bareRepository() : undefined
  const home = await temporaryFolder()
  const clone = async () => {
    const folder = bare === undefined ? await temporaryFolder() : await checkout(bare, '--depth=1')
    writeExample(folder, { url, state })
    return folder
  }
  const clones = { one: await clone(), two: await clone() }
  const environment = { ...gitEnvironment, ...someSecrets, ...more, HOME: home }
  mkdirSync(home, { recursive: true })
  const lines: string[] = []
  return {
    clones,
    /** Applies in a clone, and records the output. */
    async apply(clone: keyof typeof clones, ...args: readonly string[]) {
      const folder = clones[clone]
      const words = ['apply', join(folder, 'site.yaml'), '--yes', '--quiet', '--timeout', '1s']
      const { exitCode, out, err } = await landform([...words, ...args], { environment, folder })
      const typed = ['apply', 'site.yaml', '--yes', '--quiet', '--timeout', '1s', ...args].join(' ')
      lines.push(
        `${clone}$ landform ${typed}`,
        `${err}${out.split(/^Plan: .*\n/m).at(-1)}`.trimEnd(),
        `[exit ${exitCode}]`,
        '',
      )
      return exitCode
    },
    session() {
      const told = lines.join('\n').replaceAll(url, 'https://gis.example.org/arcgis/admin')
      return Object.entries({ ...clones, home })
        .reduce((text, [name, folder]) => text.replaceAll(folder, `/${name}`), told)
        .replaceAll(/\b[0-9a-f]{24}\b/g, 'NONCE')
        .replaceAll(/127\.0\.0\.1_\d+-[0-9a-f]{12}/g, 'SITE')
        .split('\n')
        .map(line => (line.includes('$ landform ') ? line : wrapLines(line)))
        .join('\n')
        .trimEnd()
    },
  }
}

/** Applies with declared state and then with the option, and vice versa, each with and without state in the manifest. */
async function sessionsWith(state: string, more: Readonly<Record<string, string>> = {}) {
  /** A declared folder is relative to the manifest. */
  const as = ({ one }: { readonly one: string }) => state.replace(/^file:/, `file:${one}/`)
  const once = () => expect(emulator.world().counters.configure.received).toBe(1)
  const declared = await twoClones(state, more)
  expect(await declared.apply('one')).toBe(4)
  expect(await declared.apply('one', '--state', as(declared.clones))).toBe(4)
  if (!state.startsWith('file:')) expect(await declared.apply('two')).toBe(4)
  expect(await declared.apply('two', '--state', 'file:elsewhere')).toBe(78)
  once()
  const turned = await twoClones(state, more)
  expect(await turned.apply('one', '--state', 'file:elsewhere')).toBe(78)
  expect(await turned.apply('one', '--state', as(turned.clones))).toBe(4)
  expect(await turned.apply('one')).toBe(4)
  once()
  const option = await twoClones(undefined, more)
  expect(await option.apply('one', '--state', as(option.clones))).toBe(4)
  expect(await option.apply('one')).toBe(78)
  expect(await option.apply('two')).toBe(78)
  once()
  const optionLast = await twoClones(undefined, more)
  expect(await optionLast.apply('one')).toBe(4)
  expect(await optionLast.apply('one', '--state', as(optionLast.clones))).toBe(78)
  expect(await optionLast.apply('two', '--state', as(optionLast.clones))).toBe(78)
  once()
  return [declared, turned, option, optionLast].map(({ session }) => session())
}

test('state in a folder', async () => {
  const sessions = await sessionsWith('file:kept')
  const [head = ''] = readFileSync(page, 'utf8').split('```text')
  const text = `${head}${sessions.map(one => `\`\`\`text\n${one}\n\`\`\``).join('\n\n')}\n`
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(page, text)
  else expect(readFileSync(page, 'utf8')).toBe(text)
})

describeWhere(hasGit, 'git')('with git', () => {
  test('state in git', async () => {
    await sessionsWith('git:origin')
  })
})

describeDatabase('with a database', postgresState, kept => {
  test('state in a database', async () => {
    const more = { LANDFORM_DATABASE_URL: kept.connection }
    await sessionsWith('postgres:env:LANDFORM_DATABASE_URL', more)
  })
})
