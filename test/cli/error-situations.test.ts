import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { run } from '../../src/cli/run.js'
import type { Emulator, EmulatorOptions } from '../../src/emulator/emulated-site.js'
import { parseBuiltInRules } from '../../src/emulator/faults/notation.js'
import { startEmulator } from '../../src/emulator/server.js'
import { exitCodes } from '../../src/report/exit-code.js'
import { wrapLines } from '../../src/report/terminal.js'
import { aCertificate } from '../support/certificate.js'
import { fakeHost } from '../support/fake-host.js'
import { keptBy, someHolders } from '../support/kept-state.js'
import { root } from '../support/manifests.js'
import { startRawTlsServer, stopRawServers } from '../support/raw-server.js'
import { someSecrets } from '../support/some-secrets.js'
import { removeTemporaryFolders, temporaryFolder } from '../support/temporary-folder.js'

/*
 * Ten errors as a user sees them at 80 columns. `UPDATE_GOLDEN=1` writes the page anew; review it like code.
 */
const page = join(root, 'test/transcripts/errors.md')

const started: Emulator[] = []
afterEach(async () => {
  process.chdir(root)
  await stopRawServers()
  await Promise.all(started.splice(0).map(emulator => emulator.close()))
})
afterAll(removeTemporaryFolders)

/** A folder with a manifest, its license and its site, which is the working folder. */
interface Workplace {
  readonly url: string
  /** Replaces a text in the manifest. */
  edit(from: string, to: string): void
  /** Runs a command that is no part of the session. */
  prepare(line: string): Promise<void>
}

interface Situation {
  readonly title: string
  readonly exitCode: number
  readonly line: string
  readonly site?: EmulatorOptions
  readonly before?: (workplace: Workplace) => Promise<void> | void
}

const fault = (rule: string): EmulatorOptions => ({ faults: parseBuiltInRules([rule]) })

const situations: readonly Situation[] = [
  {
    title: 'An unknown option',
    exitCode: exitCodes.usage,
    line: 'apply site.yaml --time-out 30m',
  },
  {
    title: 'A wrong unit',
    exitCode: exitCodes.invalid,
    line: 'validate site.yaml',
    before: ({ edit }) => edit('size: 16Gi', 'size: 16GI'),
  },
  {
    title: 'The response to configure is lost',
    exitCode: exitCodes.unknown,
    line: 'apply site.yaml --yes --quiet --timeout 30s',
    site: fault('configure@1=drop-before'),
  },
  {
    title: 'Locked by another run',
    exitCode: exitCodes.locked,
    line: 'apply site.yaml --yes --quiet',
    async before({ url }) {
      const { elsewhere } = await someHolders()
      await keptBy(elsewhere, { folder: '.landform', url }).take('apply')
    },
  },
  {
    title: 'A stale saved plan',
    exitCode: exitCodes.stale,
    line: 'apply plan.json --yes --quiet',
    async before({ edit, prepare }) {
      await prepare('plan site.yaml --out plan.json')
      edit('size: 32Gi', 'size: 64Gi')
    },
  },
  {
    title: 'The service rejects the license',
    exitCode: exitCodes.serviceFailed,
    line: 'apply site.yaml --yes --quiet',
    site: fault('configure@1=error-before:400,message:The license is expired.'),
  },
  {
    title: 'An expired token',
    exitCode: exitCodes.permission,
    line: 'plan site.yaml',
    site: { configured: true, ...fault('any=error:498,message:Invalid token.') },
  },
  {
    title: 'A full disk',
    exitCode: exitCodes.state,
    line: 'plan site.yaml --out /dev/full',
  },
  {
    title: 'An unknown certificate',
    exitCode: exitCodes.permission,
    line: 'plan site.yaml',
    async before({ edit, url }) {
      const { port } = await startRawTlsServer(aCertificate('an unknown authority'), () => undefined)
      edit(url, `https://127.0.0.1:${port}/gis/admin`)
      edit('\nspec:\n', '\nspec:\n  state: file:state\n')
    },
  },
  {
    title: 'A state that is elsewhere',
    exitCode: exitCodes.refused,
    line: 'apply site.yaml --yes --state file:other',
    before: ({ edit }) => edit('\nspec:\n', '\nspec:\n  state: file:state\n'),
  },
]

/** Performs a situation in a folder of its own. */
async function perform({ line, site = {}, before }: Situation) {
  const emulator = await startEmulator({ basePath: '/gis/admin', stageMs: 10, ...site })
  started.push(emulator)
  const folder = await temporaryFolder()
  cpSync(join(root, 'examples/licenses'), join(folder, 'licenses'), { recursive: true })
  const example = readFileSync(join(root, 'examples/quickstart.yaml'), 'utf8')
  const manifest = join(folder, 'site.yaml')
  writeFileSync(manifest, example.replace(/https:\S+admin\b/, emulator.url))
  process.chdir(folder)
  await before?.({
    url: emulator.url,
    edit: (from, to) => writeFileSync(manifest, readFileSync(manifest, 'utf8').replace(from, to)),
    prepare: async words => {
      const host = fakeHost({ environment: someSecrets })
      if ((await run(words.split(' '), host)) !== 0) throw new Error(host.err())
    },
  })
  const host = fakeHost({ environment: someSecrets })
  const exitCode = await run(line.split(' '), host)
  return {
    exitCode,
    said: host.out() + host.err(),
    screen: wrapLines(replaceVolatile(host.screen(), folder)),
  }
}

/** Replaces what differs from run to run by stable words, and leaves out the middle of a plan. */
function replaceVolatile(text: string, folder: string): string {
  return text
    .replaceAll(`${folder}/`, '')
    .replaceAll(folder, 'FOLDER')
    .replace(/^(Plan for .*\n)[\s\S]*(^Plan: )/m, '$1…\n$2')
    .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:PORT')
    .replaceAll(hostname(), 'HOST')
    .replaceAll(/\bnonce-\d+/g, 'NONCE')
    .replaceAll(/\b\d{4}-\d\d-\d\d(?:T| )\d\d:\d\d(?::\d\d)?(?:\.\d+)?Z?/g, 'TIME')
    .replaceAll(/\b[0-9a-f]{16,}\b/g, 'DIGEST')
}

/** The sessions by their titles, in the order of the list whatever the order of the tests. */
const performed = new Map<string, Awaited<ReturnType<typeof perform>>>()

beforeAll(async () => {
  for (const situation of situations) performed.set(situation.title, await perform(situation))
}, 120_000)

test.each(situations)('$title: one error, and what to type next', ({ title, exitCode }) => {
  const { said = '', exitCode: actual } = performed.get(title) ?? {}
  expect({ exitCode: actual, said: actual === exitCode ? '' : said }).toEqual({ exitCode, said: '' })
  expect(said.match(/^error: |^\S+:\d+:\d+ +error /gm)).toHaveLength(1)
  // Something to type, or something to edit.
  expect(said).toMatch(
    /^(?:next:(?: |\n {2}1\. ).*(?:landform |replace |run the same|name its certificate in `spec)| *help: write )/m,
  )
})

function formatSession({ title, line }: (typeof situations)[number], at: number): string {
  const { screen = '', exitCode } = performed.get(title) ?? {}
  return `## ${at + 1}. ${title}\n\n\`\`\`text\n$ landform ${line}\n${screen.trimEnd()}\n[exit ${exitCode}]\n\`\`\`\n`
}

test('the page shows these sessions', () => {
  const text = `# Ten errors\n\nAs a user sees them at 80 columns; "…" stands for the rest of a plan. Written by \`test/cli/error-situations.test.ts\`.\n\n${situations.map(formatSession).join('\n')}`
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(page, text)
  else expect(text).toBe(readFileSync(page, 'utf8'))
})
