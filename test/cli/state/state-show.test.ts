import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { aSubmission } from '../../support/a-submission.js'
import { anEmulator } from '../../support/emulator.js'
import { hostileTexts } from '../../support/hostile-texts.js'
import { keep, keptBy, someHolders } from '../../support/kept-state.js'
import { landform } from '../../support/landform.js'
import { listSchemaErrors } from '../../support/schema-errors.js'
import { someSecrets } from '../../support/some-secrets.js'
import { temporaryFolder } from '../../support/temporary-folder.js'

/** A site that was applied to once, and the command that shows its state. */
async function applied() {
  const site = await anEmulator({ stageMs: 5 })
  const folder = join(await temporaryFolder(), 'kept')
  const args = ['--url', site.url, '--state', `file:${folder}`]
  const run = ['apply', 'examples/quickstart.yaml', ...args, '--yes']
  expect((await landform(run, { environment: someSecrets })).exitCode).toBe(0)
  const [key = ''] = readdirSync(folder)
  return {
    versions: join(folder, key),
    show: (...more: string[]) => landform(['state', 'show', ...args, ...more]),
  }
}

test('prints a summary first, and then a line for each version', async () => {
  const { show, versions } = await applied()
  const { exitCode, out } = await show()
  expect(exitCode).toBe(0)
  const [head = '', history = ''] = out.split('\n\n')
  expect(head).toMatch(/^configure {2}the site was ready at 2026-/m)
  expect(head).toMatch(/^lock {7}none$/m)
  expect(head).toMatch(/^record {5}organization applied on 2026-.*, from the manifest sha256:/m)
  const lines = history.trimEnd().split('\n')
  expect(lines).toHaveLength(readdirSync(versions).length)
  expect(lines[0]).toMatch(/^ {4}1 {2}2026-\S+ {2}apply of process \d+ on \S+ acquired the lock$/)
  expect(lines.at(-1)).toMatch(/apply ended: done \(configure: create, update: update\)$/)
})

test('shows the last twenty versions, and all with --all', async () => {
  const url = 'https://gis.example.org/arcgis/admin'
  const folder = join(await temporaryFolder(), 'kept')
  const { alive } = await someHolders()
  const store = keptBy(alive, { folder, url })
  for (let run = 1; run <= 9; run += 1) await keep(store, {})
  const show = async (...more: string[]) =>
    (await landform(['state', 'show', '--url', url, '--state', `file:${folder}`, ...more])).out
  const lines = (out: string) => (out.split('\n\n')[1] ?? '').trimEnd().split('\n')
  const shown = await show()
  expect(shown).toContain('chain      27 versions, complete and in order')
  expect(lines(shown)[0]).toBe('       7 earlier versions: --all shows them')
  expect(lines(shown).slice(1)).toEqual(lines(await show('--all')).slice(-20))
  expect(lines(await show('--all'))).toHaveLength(27)
  const serials = async (...more: string[]) =>
    JSON.parse(await show('--format', 'json', ...more)).history.map(
      ({ serial }: { serial: number }) => serial,
    )
  expect((await serials())[0]).toBe(8)
  expect((await serials('--all'))[0]).toBe(1)
})

test('shows whole receipts with -v', async () => {
  const { show } = await applied()
  const digest = /^ {9}manifest sha256:[0-9a-f]{64}$/m
  expect((await show()).out).not.toMatch(digest)
  expect((await show('-v')).out).toMatch(digest)
})

test('JSON has the history, and no value of a manifest', async () => {
  const { show } = await applied()
  const { out } = await show('--format', 'json')
  const document = JSON.parse(out)
  expect(listSchemaErrors('history', document)).toEqual([])
  expect(document).toMatchObject({
    lock: null,
    submission: { state: 'ready' },
    serial: document.history.length,
  })
  expect(out).not.toContain('siteadmin')
})

test('a site without state is not a failure', async () => {
  const state = `file:${await temporaryFolder()}`
  const { exitCode, out } = await landform(['state', 'show', 'examples/quickstart.yaml', '--state', state])
  expect({ exitCode, out }).toEqual({ exitCode: 0, out: expect.stringContaining('no state is kept') })
})

test('without a manifest or an address it prints what to name', async () => {
  expect(await landform(['state', 'show', '--state', 'file:kept'])).toMatchObject({
    exitCode: 64,
    err: expect.stringContaining('name a manifest, or the site itself with --url'),
  })
})

test.each<[string, (text: string) => string]>([
  ['was altered', text => text.replace('"tool": "', '"tool": "x')],
  ['was truncated', text => text.slice(0, 100)],
])('names the version that %s, whichever it is', async (_, harm) => {
  const { show, versions } = await applied()
  for (const name of readdirSync(versions)) {
    const file = join(versions, name)
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, harm(text))
    const { exitCode, err } = await show()
    expect({ exitCode, err }).toEqual({
      exitCode: 74,
      err: expect.stringContaining(`version ${Number.parseInt(name, 10)}`),
    })
    writeFileSync(file, text)
  }
  expect((await show()).exitCode).toBe(0)
})

test.each(hostileTexts)('escapes texts of the service and names of machines: %s', async (_, hostile) => {
  const folder = join(await temporaryFolder(), 'kept')
  const url = 'https://gis.example.org/admin'
  const { elsewhere } = await someHolders()
  const store = keptBy({ ...elsewhere, host: `h${hostile}` }, { folder, url })
  await keep(store, { submission: aSubmission({ state: 'rejected', reason: `r${hostile}` }) }, 'keeps it')
  for (const format of ['text', 'json']) {
    const { exitCode, out } = await landform([
      ...['state', 'show', '--url', url, '--state', `file:${folder}`],
      ...['--format', format],
    ])
    expect(exitCode).toBe(0)
    expect(out).not.toMatch(/[^\P{C}\n]|^::|##\w*\[/mu)
  }
})
