import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmulator } from '../../../src/emulator/server.js'
import { parsePlan } from '../../../src/plan/saved/saved-plan.js'
import { aNodeObject, aStorageClassObject } from '../../support/cluster.js'
import { landform } from '../../support/landform.js'
import { measuredRun } from '../../support/measured-run.js'
import { listSchemaErrors } from '../../support/schema-errors.js'
import { someSecrets } from '../../support/some-secrets.js'

const quickstart = 'examples/quickstart.yaml'
const folder = mkdtempSync(join(tmpdir(), 'landform-cluster-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Writes what `kubectl` would print, and answers with the name of the file. */
function written(name: string, items: readonly unknown[]): string {
  const file = join(folder, name)
  writeFileSync(file, JSON.stringify({ kind: 'List', items }))
  return file
}

const fit = aNodeObject({ name: 'fit', labels: { pool: 'upgrades' } })
const unfit = aNodeObject({ name: 'unfit' })
const nodes = written('nodes.json', [fit, unfit])
const noNodes = written('no-nodes.json', [unfit])
const classes = written('classes.json', [aStorageClassObject({ name: 'gp3' })])
const poorClasses = written('poor.json', [aStorageClassObject({ name: 'gp3', allowVolumeExpansion: false })])
const otherClasses = written('other.json', [aStorageClassObject({ name: 'gp2' })])

const plan = (args: readonly string[], input?: string) =>
  landform(['plan', '--emulate', quickstart, ...args], { ...(input !== undefined && { input }) })

describe('a plan with what is in the cluster', () => {
  test.each<[string, readonly string[], number, RegExp, RegExp]>([
    ['nodes of which one is fit', ['--nodes', nodes], 0, /^Upgrade pods: 1 of 2 nodes satisfy/m, /^$/],
    [
      'no node that is fit',
      ['--nodes', noNodes],
      65,
      /^Upgrade pods: 0 of 1 nodes satisfy/m,
      /quickstart\.yaml:35:5 {2}error .* placement\/no-node\n/,
    ],
    ['classes that are there', ['--storage-classes', classes], 0, /^Storage classes: 1 of 1/m, /^$/],
    [
      'classes that are poor',
      ['--storage-classes', poorClasses],
      0,
      /^ {2}! gp3/m,
      /warning .* volume\/class-cannot-expand\n/,
    ],
    [
      'classes that are not there',
      ['--storage-classes', otherClasses],
      65,
      /^ {2}- gp3 /m,
      /error .* volume\/no-such-storage-class\n/,
    ],
    ['both', ['--nodes', nodes, '--storage-classes', classes], 0, /Upgrade pods: .*Storage classes: /s, /^$/],
    [
      'an error and changes',
      ['--nodes', noNodes, '--detailed-exitcode'],
      65,
      /Upgrade pods/,
      /placement\/no-node/,
    ],
    ['changes and no error', ['--nodes', nodes, '--detailed-exitcode'], 2, /Upgrade pods/, /^$/],
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
    expect('placement' in document).toBe(args.includes('--nodes'))
    expect('storage' in document).toBe(args.includes('--storage-classes'))
  })

  test('takes one of them from standard input', async () => {
    const { exitCode, out } = await plan(
      ['--nodes', '-', '--storage-classes', classes],
      readFileSync(nodes, 'utf8'),
    )
    expect(exitCode).toBe(0)
    expect(out).toContain('1 of 2 nodes')
    const listed = await plan(['--storage-classes', '-'], readFileSync(classes, 'utf8'))
    expect(listed.out).toContain('Storage classes: 1 of 1')
  })

  test('reads more of it than a manifest may have', () => {
    const items = Array.from({ length: 500 }, (_, at) => ({
      ...aNodeObject({ name: `n${at}` }),
      unread: 'x'.repeat(4000),
    }))
    const listed = JSON.stringify({ kind: 'List', items })
    const { status, stdout, stderr } = measuredRun(['plan', '--emulate', quickstart, '--nodes', '-'], listed)
    expect(stderr).toMatch(/placement\/no-node/)
    expect(stdout).toMatch(/^ {2}- and 490 more +--format json lists all$/m)
    expect(status).toBe(65)
  })

  test('is the same plan as without, to a reader and in the file that is saved', async () => {
    const emulator = await startEmulator({})
    try {
      const said = (...args: readonly string[]) =>
        landform(['plan', quickstart, '--url', emulator.url, '--format', 'json', ...args], {
          environment: someSecrets,
        })
      const saved = join(folder, 'plan.json')
      const { exitCode, out } = await said('--nodes', noNodes, '--storage-classes', classes, '--out', saved)
      expect(exitCode).toBe(65)
      const { id, placement, storage, ...rest } = JSON.parse(out)
      expect([placement.taking, storage.classes.length]).toEqual([0, 1])
      expect(JSON.parse(readFileSync(saved, 'utf8'))).toEqual({ id, ...rest })
      expect(parsePlan(out)).toEqual(parsePlan(readFileSync(saved, 'utf8')))
      expect(parsePlan(out)).toMatchObject({ ok: true, value: { id } })
      expect(parsePlan(JSON.stringify({ ...JSON.parse(out), name: 'other' }))).toMatchObject({
        error: 'altered',
      })
      const { actions } = JSON.parse((await said()).out)
      expect(rest.actions).toEqual(actions)
    } finally {
      await emulator.close()
    }
  })

  test('only shows the classes of a site that is configured', async () => {
    const said = await plan(['--scenario', 'already-configured', '--storage-classes', otherClasses])
    expect([said.exitCode, said.err]).toEqual([0, expect.not.stringContaining('volume/')])
    expect(said.out).toContain('  - gp3  8 volumes  does not exist')
  })
})

describe('what cannot be read of a cluster is refused before the site is looked at', () => {
  const nowhere = ['plan', quickstart, '--url', 'http://127.0.0.1:9/a']
  test.each<[string, readonly string[], number, string]>([
    [
      'a file that is not there',
      ['--nodes', join(folder, 'none.json')],
      66,
      'the node list none.json does not exist',
    ],
    ['a folder', ['--nodes', 'examples'], 66, 'the node list examples is a folder; name the list in it'],
    [
      'classes for nodes',
      ['--nodes', classes],
      65,
      'the node list classes.json cannot be used: /items/0/kind is not `Node`',
    ],
    [
      'nodes for classes',
      ['--storage-classes', nodes],
      65,
      'the list of storage classes nodes.json cannot be used: /items/0/kind is not `StorageClass`',
    ],
    [
      'a manifest',
      ['--nodes', quickstart],
      65,
      'the node list examples/quickstart.yaml cannot be used: it is not valid JSON in UTF-8',
    ],
    ['no input', ['--nodes', '-'], 65, 'the node list on standard input cannot be used: it is empty'],
  ])('%s', async (_what, args, exitCode, message) => {
    const said = await landform([...nowhere, ...args], { folder })
    expect([said.exitCode, said.out]).toEqual([exitCode, ''])
    expect(said.err).toContain(`error: ${message}\n`)
    const json = await landform([...nowhere, ...args, '--format', 'json'], { folder })
    expect(listSchemaErrors('failure', JSON.parse(json.out))).toEqual([])
  })

  test.each([
    [['-', '--nodes', '-']],
    [['-', '--storage-classes', '-']],
    [[quickstart, '--nodes', '-', '--storage-classes', '-']],
  ])('standard input that is asked for twice: %j', async args => {
    const said = await landform(['plan', ...args], { input: '{}' })
    expect(said.exitCode).toBe(64)
    expect(said.err).toContain('only one of')
  })

  test('a report in place of what is read', async () => {
    for (const [option, file] of [
      ['--nodes', nodes],
      ['--storage-classes', classes],
    ] as const) {
      const before = readFileSync(file, 'utf8')
      const said = await plan([option, file, '--format', `json=${file}`])
      expect(said.exitCode).toBe(64)
      expect(readFileSync(file, 'utf8')).toBe(before)
    }
  })
})
