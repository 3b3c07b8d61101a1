// A process that writes state, for `state.mjs`: opens what it is told and answers with a line for each line.
import { writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileBackend } from '../../dist/src/state/file-backend.js'
import { gitBackend } from '../../dist/src/state/git-backend.js'

const [kind, place, size = '0'] = process.argv.slice(2)
const site = 'https://gis.example.org/arcgis/admin'

/** Long enough to be torn; whoever reads it can tell whether it is whole. */
const textOf = serial => `${serial} ${'x'.repeat(Number(size))} ${serial}`

const backends = {
  file: () => fileBackend(place),
  git: () => gitBackend('origin', { folder: place, environment: process.env, timeoutMs: 60_000 }),
}

/** What many programs do. */
const naive = {
  async add({ serial, text }) {
    writeFileSync(`${place}/${String(serial).padStart(6, '0')}.json`, text)
    return { ok: true, value: true }
  },
}

const series = kind === 'naive' ? naive : backends[kind]().series(site)

process.stdout.write('ready\n')
for await (const line of createInterface({ input: process.stdin })) {
  const [from, to] = line.split(' ').map(Number)
  for (let serial = from; serial <= to; serial += 1) {
    const reply = await series.add({ serial, text: textOf(serial) })
    const word = reply.ok ? (reply.value ? 'made' : 'taken') : `${reply.failure.kind} ${reply.failure.reason}`
    process.stdout.write(`${serial} ${word}\n`)
  }
}
