// A process that writes state. For each input line `FROM TO`, it writes these versions, and prints a line for each.
import { closeSync, openSync, writeSync } from 'node:fs'
import { access, writeFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import type { Series, Version } from '../../../src/state/series.js'
import type { Place } from './landform-process.js'
import { openState } from './open-state.js'
import { textOfVersion, writtenSite } from './written.js'

const [kind = 'file', place = '', size = '0'] = process.argv.slice(2)

/** Writes as many programs do: checks for the file, and writes if it is absent. */
const naive = {
  async add({ serial, text }: Version) {
    const path = `${place}/${String(serial).padStart(6, '0')}.json`
    const isThere = await access(path).then(
      () => true,
      () => false,
    )
    if (!isThere) await writeFile(path, text)
    return { ok: true, value: !isThere } as const
  },
}

const bufferBytes = 4096

/** Overwrites one file in a loop, as many programs overwrite their settings. */
function rewrite(): never {
  const bytes = Buffer.from(textOfVersion(1, Number(size)))
  for (;;) {
    const file = openSync(`${place}/000001.json`, 'w')
    for (
      let at = 0;
      at < bytes.length;
      at += writeSync(file, bytes, at, Math.min(bufferBytes, bytes.length - at))
    );
    closeSync(file)
  }
}

const connection = process.env['LANDFORM_DATABASE_URL'] ?? ''

/** Works like `naive`, but in a table without a unique key. */
async function naiveTable() {
  const { openDatabase } = await import('../../../packages/fleet/src/database/database.js')
  const database = openDatabase(connection)
  return {
    async add({ serial }: Version) {
      const found = await database.rows('select from naive where serial = $1', [serial])
      if (found.length === 0) await database.rows('insert into naive values ($1)', [serial])
      return { ok: true, value: found.length === 0 } as const
    },
  }
}

const open = async (): Promise<Pick<Series, 'add'>> => {
  if (kind === 'naive') return naive
  if (kind === 'naive table') return naiveTable()
  const backend = await openState[kind === 'rewriting' ? 'file' : (kind as Place['kind'])](place, place)
  return backend.series(writtenSite)
}
const series = await open()

process.stdout.write('ready\n')
for await (const line of createInterface({ input: process.stdin })) {
  if (kind === 'rewriting') rewrite()
  const [from = 0, to = 0] = line.split(' ').map(Number)
  for (let serial = from; serial <= to; serial += 1) {
    const reply = await series.add({ serial, text: textOfVersion(serial, Number(size)) })
    const word = reply.ok
      ? reply.value
        ? 'made'
        : 'taken'
      : `${reply.error.kind} ${reply.error.reason.kind}`
    process.stdout.write(`${serial} ${word}\n`)
  }
}
