import { mkdtemp, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileBackend } from '../../../src/state/file-backend.js'
import { judge } from '../judge/judge.js'
import { bringToEnd } from '../processes/bring-to-end.js'
import { applyWords, environment } from '../processes/landform-process.js'
import { placeIn } from '../processes/place.js'
import type { RealSites } from '../processes/real-site.js'
import { stateWriter } from '../processes/writer-process.js'
import { textOfVersion, writtenSite } from '../processes/written.js'
import { unflushed } from './flushed.js'
import type { Trial } from './sweep.js'
import { traced } from './traced.js'

/** Creates a trial of a process that writes two versions. */
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
        found.push('I4: a version that was not flushed was reported as made')
      const next = end === 'signal=KILL' ? await unflushedByNext(home, around) : []
      return [...found, ...next, ...(await wrongIn(home, Math.max(0, ...made)))]
    },
  }
}

/** Lists what the writer after a killed one leaves unflushed. It must not rely on flushes of its predecessor. */
async function unflushedByNext(home: string, around: string): Promise<readonly string[]> {
  const file = join(around, 'trace')
  const all = await fileBackend(home).series(writtenSite).all()
  const serial = all.ok ? all.value.length + 1 : 0
  const words = [stateWriter, 'file', home]
  const subject = { home, words, environment: { PATH: process.env['PATH'] }, input: `${serial} ${serial}\n` }
  const { calls } = await traced(subject, { file, calls: 'write,fsync,link' })
  return unflushed(calls, home, around).map(text => `the next writer: ${text}`)
}

/** Judges the versions of a writer that reported those up to `made`, and tests that the next one can be written. */
async function wrongIn(home: string, made: number): Promise<readonly string[]> {
  const series = fileBackend(home).series(writtenSite)
  const all = await series.all()
  const found = [...judge({ versions: { made, kept: all, textOf: one => textOfVersion(one, 0) } })]
  if (!all.ok) return found
  const serial = all.value.length + 1
  const next = await series.add({ serial, text: textOfVersion(serial, 0) })
  if (!next.ok || !next.value) found.push(`I5: version ${serial} cannot be written afterwards`)
  const left = (await readdir(home, { recursive: true })).filter(name => name.endsWith('.tmp'))
  if (left.length > 0) found.push(`${left.length} temporary files left by the writer`)
  return found
}

/** Creates a trial of `landform apply` on a new site, with state in files. */
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
      const { violations } = await bringToEnd(place, sites, { first: code as 0 | 'crashed', seconds: 3 })
      return violations
    },
  }
}
