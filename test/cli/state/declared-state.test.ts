import { renameSync } from 'node:fs'
import { join } from 'node:path'
import type { Emulator } from '../../../src/emulator/emulated-site.js'
import { aFault, anEmulator } from '../../support/emulator.js'
import { writeExample } from '../../support/example-copy.js'
import { landform } from '../../support/landform.js'
import { someSecrets } from '../../support/some-secrets.js'
import { temporaryFolder } from '../../support/temporary-folder.js'

let site: Emulator
let folder = ''
let requests = 0
const run = (...args: readonly string[]) => landform(args, { environment: someSecrets, folder })
const manifest = () => join(folder, 'site.yaml')
const apply = (...more: readonly string[]) => run('apply', manifest(), '--yes', '--timeout', '1s', ...more)

/** Writes the manifest with an address of the site and a state location. */
function write(url = site.url, state = 'file:state'): void {
  writeExample(folder, { url, state })
}

beforeEach(async () => {
  folder = await temporaryFolder()
  requests = 0
  site = await anEmulator({
    faults: [aFault('configure@1=drop-before')],
    inspect: ({ received }) => {
      if (received.request.path?.endsWith('/configure')) requests += 1
    },
  })
  write()
  expect((await apply()).exitCode).toBe(4)
  expect(requests).toBe(1)
})

describe('after a request with an unknown outcome, an apply sends no second one', () => {
  test('without --state', async () => {
    expect((await apply()).exitCode).toBe(4)
    expect(requests).toBe(1)
  })

  test('with another state', async () => {
    const { exitCode, err } = await apply('--state', `file:${folder}/other`)
    expect([exitCode, requests]).toEqual([78, 1])
    expect(err).toContain('contradicts `state: file:state` in site.yaml')
  })

  test('for the same site with another name of its host', async () => {
    const other = site.url.replace('127.0.0.1', 'localhost')
    write(other)
    const { exitCode, err } = await apply()
    expect([exitCode, requests]).toEqual([78, 1])
    expect(err).toContain(`the state of \`quickstart\` belongs to ${site.url}`)
    expect(err).toContain(`landform state move ${site.url} ${other} site.yaml`)
  })

  test('for the same site with another address after `state move`', async () => {
    const other = site.url.replace('127.0.0.1', 'localhost')
    const moved = await run('state', 'move', site.url, other, manifest())
    expect([moved.exitCode, moved.out]).toEqual([
      0,
      expect.stringContaining(`Moved the state of quickstart to ${other}`),
    ])
    write(other)
    expect((await apply()).exitCode).toBe(4)
    write()
    expect((await apply()).exitCode).toBe(78)
    expect(requests).toBe(1)
  })

  test('after its state was moved, whichever location the manifest has', async () => {
    const there = `file:${folder}/there`
    const moved = await run('state', 'move', `file:${folder}/state`, there, manifest())
    expect([moved.exitCode, moved.err]).toEqual([0, expect.stringContaining(`write \`state: file:there\``)])
    expect((await apply()).exitCode).toBe(4)
    const shown = await run('state', 'show', manifest())
    expect(shown.out).toContain('kept in    there/')
    write(site.url, there)
    expect((await apply()).exitCode).toBe(4)
    expect(requests).toBe(1)
  })
})

describe('a state that moved to a location that leads elsewhere from this machine', () => {
  const moveThere = () => run('state', 'move', `file:${folder}/state`, `file:${folder}/there`, manifest())

  test('and is empty there: the request is not sent again', async () => {
    expect((await moveThere()).exitCode).toBe(0)
    renameSync(join(folder, 'there'), join(folder, 'elsewhere'))
    for (const command of [['plan'], ['apply', '--yes', '--timeout', '1s']]) {
      const { exitCode, err } = await run(...command, manifest())
      expect([exitCode, requests]).toEqual([74, 1])
      expect(err).toContain('it moved to file:there, which appears empty from here')
      expect(err).toContain('check that the location still leads to the same place as when the state moved')
    }
    renameSync(join(folder, 'elsewhere'), join(folder, 'there'))
    expect((await apply()).exitCode).toBe(4)
    expect(requests).toBe(1)
  })
})

test('moving twice succeeds, and moving from an empty location fails', async () => {
  const words = ['state', 'move', `file:${folder}/state`, `file:${folder}/there`, manifest()] as const
  expect((await run(...words)).exitCode).toBe(0)
  expect(await run(...words)).toMatchObject({ exitCode: 0, out: expect.stringContaining('already') })
  expect((await run('state', 'move', words[3], words[2], manifest())).exitCode).toBe(0)
  expect((await run('state', 'show', manifest())).out).toContain('the state moved to')
  const nothing = await run('state', 'move', `file:${folder}/nowhere`, 'file:there', manifest())
  expect([nothing.exitCode, nothing.err]).toEqual([6, expect.stringContaining('no state to move')])
})

test.each([
  ['origin', 'git:origin'],
  ['file:a', 'https://gis.example.org/admin'],
  ['https://gis.example.org/admin', 'http://gis.example.org/admin'],
])('moving from %s to %s is a usage error', async (from, to) => {
  expect((await run('state', 'move', from, to, manifest())).exitCode).toBe(64)
})
