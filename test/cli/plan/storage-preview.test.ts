import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parsePlan } from '../../../src/plan/saved/saved-plan.js'
import { anEmulator } from '../../support/emulator.js'
import { landform } from '../../support/landform.js'
import { measuredRun } from '../../support/measured-run.js'
import { listSchemaErrors } from '../../support/schema-errors.js'
import { someSecrets } from '../../support/some-secrets.js'
import { aStorageClassObject } from '../../support/storage-class.js'

const quickstart = 'examples/quickstart.yaml'
const folder = mkdtempSync(join(tmpdir(), 'landform-cluster-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Writes the output of `kubectl` to a file, and returns its name. */
function written(name: string, items: readonly unknown[]): string {
  const file = join(folder, name)
  writeFileSync(file, JSON.stringify({ kind: 'List', items }))
  return file
}

const classes = written('classes.json', [aStorageClassObject({ name: 'gp3' })])
const poorClasses = written('poor.json', [aStorageClassObject({ name: 'gp3', allowVolumeExpansion: false })])
const pods = written('pods.json', [{ kind: 'Pod', metadata: { name: 'p' } }])
const otherClasses = written('other.json', [aStorageClassObject({ name: 'gp2' })])

const plan = (args: readonly string[], input?: string) =>
  landform(['plan', '--emulate', quickstart, ...args], { ...(input !== undefined && { input }) })

describe('a plan with the storage classes of the cluster', () => {
  test.each<[string, readonly string[], number, RegExp, RegExp]>([
    ['existing classes', ['--storage-classes', classes], 0, /^Storage classes: 1 of 1/m, /^$/],
    [
      'unsuitable classes',
      ['--storage-classes', poorClasses],
      0,
      /^ {2}! gp3/m,
      /warning .* volume\/class-cannot-expand\n/,
    ],
    [
      'missing classes',
      ['--storage-classes', otherClasses],
      65,
      /^ {2}- gp3 /m,
      /error .* volume\/no-such-storage-class\n/,
    ],
    [
      'changes and no error',
      ['--storage-classes', classes, '--detailed-exitcode'],
      2,
      /Storage classes/,
      /^$/,
    ],
  ])('shows %s', async (_what, args, exitCode, out, err) => {
    const said = await plan(args)
    expect(said.exitCode).toBe(exitCode)
    expect(said.out).toMatch(out)
    expect(said.err).toMatch(err)
    expect(said.out.trimEnd().split('\n').at(-1)).toBe(
      'Plan: 1 to create, 1 to update, 0 to resume, 0 unchanged.',
    )
    const json = await plan([...args, '--format', 'json'])
    expect(json.exitCode).toBe(exitCode)
    const document = JSON.parse(json.out)
    expect(listSchemaErrors('plan', document)).toEqual([])
    expect(document).toHaveProperty('storage')
  })

  test('reads them from standard input', async () => {
    const listed = await plan(['--storage-classes', '-'], readFileSync(classes, 'utf8'))
    expect(listed.out).toContain('Storage classes: 1 of 1')
  })

  test('may be larger than a manifest', () => {
    const items = Array.from({ length: 500 }, (_, at) => ({
      ...aStorageClassObject({ name: `c${at}` }),
      unread: 'x'.repeat(4000),
    }))
    const listed = JSON.stringify({ kind: 'List', items })
    const args = ['plan', '--emulate', quickstart, '--storage-classes', '-']
    const { status, stdout, stderr } = measuredRun(args, listed)
    expect(stderr).toMatch(/volume\/no-such-storage-class/)
    expect(stdout).toMatch(/^ {2}- gp3 +8 volumes +does not exist$/m)
    expect(status).toBe(65)
  })

  test('has the same id and the same saved file as without', async () => {
    const emulator = await anEmulator({})
    const said = (...args: readonly string[]) =>
      landform(['plan', quickstart, '--url', emulator.url, '--format', 'json', ...args], {
        environment: someSecrets,
      })
    const saved = join(folder, 'plan.json')
    const { exitCode, out } = await said('--storage-classes', otherClasses, '--out', saved)
    expect(exitCode).toBe(65)
    const { id, storage, ...rest } = JSON.parse(out)
    expect(storage.classes).toHaveLength(1)
    expect(JSON.parse(readFileSync(saved, 'utf8'))).toEqual({ id, ...rest })
    expect(parsePlan(out)).toEqual(parsePlan(readFileSync(saved, 'utf8')))
    expect(parsePlan(out)).toMatchObject({ ok: true, value: { id } })
    expect(parsePlan(JSON.stringify({ ...JSON.parse(out), name: 'other' }))).toMatchObject({
      error: 'altered',
    })
    const { actions } = JSON.parse((await said()).out)
    expect(rest.actions).toEqual(actions)
  })

  test('reports no diagnostics for a configured site', async () => {
    const said = await plan(['--scenario', 'already-configured', '--storage-classes', otherClasses])
    expect([said.exitCode, said.err]).toEqual([0, expect.not.stringContaining('volume/')])
    expect(said.out).toContain('  - gp3  8 volumes  does not exist')
  })
})

describe('an unreadable list is rejected before the site is polled', () => {
  const nowhere = ['plan', quickstart, '--url', 'http://127.0.0.1:9/a']
  test.each<[string, string, number, string]>([
    ['a missing file', join(folder, 'none.json'), 66, 'none.json does not exist'],
    ['pods instead of classes', pods, 65, 'pods.json cannot be used: /items/0/kind is not `StorageClass`'],
    ['no input', '-', 65, 'on standard input cannot be used: it is empty'],
  ])('%s', async (_what, file, exitCode, message) => {
    const args = [...nowhere, '--storage-classes', file]
    const said = await landform(args, { folder })
    expect([said.exitCode, said.out]).toEqual([exitCode, ''])
    expect(said.err).toContain(`error: the list of storage classes ${message}\n`)
    if (exitCode === 65) expect(said.err).toContain('kubectl get storageclasses -o json')
    const json = await landform([...args, '--format', 'json'], { folder })
    expect(listSchemaErrors('failure', JSON.parse(json.out))).toEqual([])
  })

  test('standard input that is needed twice', async () => {
    const said = await landform(['plan', '-', '--storage-classes', '-'], { input: '{}' })
    expect(said.exitCode).toBe(64)
    expect(said.err).toContain('only one of')
  })

  test('a report that would replace the list', async () => {
    const before = readFileSync(classes, 'utf8')
    const said = await plan(['--storage-classes', classes, '--format', `json=${classes}`])
    expect(said.exitCode).toBe(64)
    expect(readFileSync(classes, 'utf8')).toBe(before)
  })
})
