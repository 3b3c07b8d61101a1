import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileBackend } from '../../../src/state/file-backend.js'
import { judge } from '../judge/judge.js'
import { writerProcess } from '../processes/writer-process.js'
import { isWhole, textOfVersion, writtenSite } from '../processes/written.js'

export interface KillLoop {
  readonly versions: number
  readonly violations: readonly string[]
}

const bytes = 200_000
const mostWritten = 4
const longestMs = 20

/** Kills writers in one folder, one after the other, while they write: every version that they reported must be complete. */
export async function killWriters(below: string, moments: readonly number[]): Promise<KillLoop> {
  const home = join(await mkdtemp(join(below, 'killed-')), 'state')
  const series = fileBackend(home).series(writtenSite)
  const found: string[] = []
  let last = 0
  for (const moment of moments) {
    const said = await killedAt(['file', home], last + 1, moment)
    const newest = await series.newest()
    if (!newest.ok) return { versions: last, violations: [...found, newest.error.reason.kind] }
    last = newest.value?.serial ?? 0
    if (last < said) found.push(`I4: version ${said} was reported as made, and is missing`)
    const left = (await readdir(home, { recursive: true }).catch(() => [])).filter(name =>
      name.endsWith('.tmp'),
    )
    if (left.length > 1) found.push(`${left.length} temporary files at once`)
  }
  const textOf = (serial: number) => textOfVersion(serial, bytes)
  found.push(...judge({ versions: { made: last, kept: await series.all(), textOf } }))
  await rm(home, { recursive: true, force: true })
  return { versions: last, violations: found }
}

/** Tests whether a killed writer that overwrites its file left it torn. */
export async function isTornWhenNaive(below: string, moment: number): Promise<boolean> {
  const home = await mkdtemp(join(below, 'naive-'))
  await killedAt(['rewriting', home], 1, moment)
  const torn = await Promise.all(
    (await readdir(home)).map(async name => !isWhole(await readFile(join(home, name), 'utf8'), bytes)),
  )
  await rm(home, { recursive: true, force: true })
  return torn.includes(true)
}

/** Starts a writer, kills it, and returns the last version that it reported. */
async function killedAt(
  [kind, place]: readonly ['file' | 'rewriting', string],
  from: number,
  moment: number,
): Promise<number> {
  const writer = await writerProcess(kind, place, { bytes })
  void writer.ask(`${from} ${from + 1000}`)
  // Waits for some versions, whatever the speed of the machine, so the kill interrupts a later one.
  const written = Math.floor(moment * mostWritten)
  const hasBegun = async () =>
    kind === 'file' ? writer.lines.length > written : (await readdir(place)).length > 0
  while (!(await hasBegun())) await setTimeout(1)
  await setTimeout(((moment * mostWritten) % 1) * longestMs)
  writer.child.kill('SIGKILL')
  await writer.ended
  const made = writer.lines.filter(line => line.endsWith(' made'))
  return Math.max(0, ...made.map(line => Number.parseInt(line, 10)))
}
