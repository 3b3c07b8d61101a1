import { mkdtemp, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileBackend } from '../../../src/state/file-backend.js'
import { broughtToEnd } from '../processes/brought-to-end.js'
import { applyWords, environment } from '../processes/landform-process.js'
import { placeIn } from '../processes/place.js'
import type { RealSites } from '../processes/real-site.js'
import { stateWriter } from '../processes/writer-process.js'
import { textOfVersion, writtenSite } from '../processes/written.js'
import { unflushed } from './flushed.js'
import type { Trial } from './sweep.js'
import { traced } from './traced.js'

/** A process that makes two versions, below a folder. */
export async function writerTrial(below: string): Promise<Trial> {
  const around = await mkdtemp(join(below, 'writer-'))
  const home = join(around, 'state')
  return {
    home,
    around,
    words: [stateWriter, 'file', home],
    environment: { PATH: process.env['PATH'] },
    input: '1 1\n2 2\n',
    async judged({ stdout }, { name, end }) {
      const made = [...stdout.matchAll(/^(\d) made$/gm)].map(([, serial]) => Number(serial))
      const found: string[] = []
      if (name === 'fsync' && end !== 'error=EINTR' && made.length === 2)
        found.push('what was not flushed was said to be made')
      const next = end === 'signal=KILL' ? await unflushedByNext(home, around) : []
      return [...found, ...next, ...(await wrongIn(home, Math.max(0, ...made)))]
    },
  }
}

/** What a writer leaves open that comes after one that was killed: it must not rely on what that one had still to do. */
async function unflushedByNext(home: string, around: string): Promise<readonly string[]> {
  const file = join(around, 'trace')
  const all = await fileBackend(home).series(writtenSite).all()
  const serial = all.ok ? all.value.length + 1 : 0
  const words = [stateWriter, 'file', home]
  const subject = { home, words, environment: { PATH: process.env['PATH'] }, input: `${serial} ${serial}\n` }
  const { calls } = await traced(subject, { file, calls: 'write,fsync,link' })
  return unflushed(calls, home, around).map(text => `the next writer: ${text}`)
}

/** What is wrong with versions of which so many were said to be made; the next writer goes on from there. */
async function wrongIn(home: string, made: number): Promise<readonly string[]> {
  const series = fileBackend(home).series(writtenSite)
  const all = await series.all()
  if (!all.ok) return [all.error.reason.kind]
  const found = all.value
    .filter(({ serial, text }) => text !== textOfVersion(serial, 0))
    .map(({ serial }) => `version ${serial} is torn`)
  if (all.value.length < made) found.push(`version ${made} was made and is gone`)
  const serial = all.value.length + 1
  const next = await series.add({ serial, text: textOfVersion(serial, 0) })
  if (!next.ok || !next.value) found.push(`version ${serial} cannot be made afterwards`)
  const left = (await readdir(home, { recursive: true })).filter(name => name.endsWith('.tmp'))
  if (left.length > 0) found.push(`${left.length} leftovers of the writer that is gone`)
  return found
}

/** `landform apply` to a fresh site, with state in files. */
export async function applyTrial(below: string, sites: RealSites, url: string): Promise<Trial> {
  const place = await placeIn(await mkdtemp(join(below, 'apply-')), 'file', url)
  const around = join(place.file, '..')
  const [, ...words] = applyWords(place, { seconds: 20 })
  return {
    home: join(around, '.landform'),
    around,
    words,
    environment,
    async judged({ code }) {
      const { violations } = await broughtToEnd(place, sites, { first: code as 0 | 'crashed', seconds: 3 })
      return violations
    },
  }
}
