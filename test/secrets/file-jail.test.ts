import { appendFileSync, existsSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FileDefect } from '../../src/diagnostics/reference-defect.js'
import { digestJailed, readJailed, readUntyped } from '../../src/secrets/file-jail.js'
import { readingPipe } from '../support/pipe-without-writer.js'
import { removeTemporaryFolders, temporaryFolder } from '../support/temporary-folder.js'

afterEach(removeTemporaryFolders)

/** Calls `act` in every turn of the event loop until the promise is settled, which is between any two of its steps. */
async function meanwhile<T>(work: Promise<T>, act: () => void): Promise<T> {
  let isDone = false
  const turn = () => {
    if (isDone) return
    act()
    setImmediate(turn)
  }
  turn()
  return work.finally(() => {
    isDone = true
  })
}

test('a file that grows while it is read is rejected', async () => {
  const folder = await temporaryFolder()
  const file = join(folder, 'site.json')
  writeFileSync(file, 'license')
  const reply = await meanwhile(readJailed(folder, 'site.json', 1_000_000), () => appendFileSync(file, 'x'))
  expect(reply).toEqual({ kind: 'unusable', defect: { kind: 'changed-while-read' } })
})

const isLinux = existsSync('/proc/self/pagemap') && existsSync('/sys/kernel/uevent_seqnum')

test.each<[string, string, FileDefect]>([
  ['that is shorter than its reported size', '/sys/kernel/uevent_seqnum', { kind: 'changed-while-read' }],
  ['that has no end, and no reported size', '/proc/self/pagemap', { kind: 'too-large', limitBytes: 8191 }],
])('a file %s is rejected', async (_, file, defect) => {
  if (!isLinux) return
  expect(await readUntyped(file, 8191)).toEqual({ kind: 'unusable', defect })
})

test('no file outside is read if its folder is replaced by a link during the lookup', async () => {
  const outer = await temporaryFolder()
  const inner = join(outer, 'inner')
  for (const name of ['inner', 'outside', 'inner/secrets']) mkdirSync(join(outer, name))
  writeFileSync(join(inner, 'secrets', 'token'), 'inside')
  writeFileSync(join(outer, 'outside', 'token'), 'outside')
  symlinkSync('../outside', join(inner, 'link'))
  const [folder, away, link] = ['secrets', 'away', 'link'].map(name => join(inner, name)) as [
    string,
    string,
    string,
  ]
  let isOut = false
  const swap = () => {
    renameSync(folder, isOut ? link : away)
    renameSync(isOut ? away : link, folder)
    isOut = !isOut
  }
  const contents = new Set<string>()
  for (let round = 0; round < 300; round += 1) {
    const reply = await meanwhile(readJailed(inner, 'secrets/token', 100), swap)
    contents.add(reply.kind === 'read' ? String(reply.bytes) : reply.kind)
  }
  expect([...contents]).not.toContain('outside')
  if (isOut) swap()
  expect(await readJailed(inner, 'secrets/token', 100)).toMatchObject({ kind: 'read' })
})

test.each<[string, (folder: string) => Promise<unknown>]>([
  ['read', folder => readJailed(folder, 'pipe', 100)],
  ['digested', folder => digestJailed(folder, 'pipe', 100)],
  ['read wherever it is', folder => readUntyped(join(folder, 'pipe'), 100)],
])('a pipe without a writer is rejected at once when it is to be %s', async (_, read) => {
  const folder = await temporaryFolder()
  const reply = await readingPipe(join(folder, 'pipe'), () => read(folder))
  expect(reply).toEqual({ kind: 'unusable', defect: { kind: 'not-a-regular-file' } })
})
