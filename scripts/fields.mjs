// Prints each field of a manifest that travels in a request: its row, what is derived from it, and which other files of src/
// spell the name of its parameter. `node scripts/fields.mjs [NAME…]`, after a build.
import { execFileSync } from 'node:child_process'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fieldRows, fields } from '../dist/src/contract/fields.js'
import { settingReadings } from '../dist/src/contract/readings.js'
import { configureChecks } from '../dist/src/emulator/service/configure.js'
import { findLaterChange } from '../dist/src/plan/fields/lifetime.js'
import { findFieldSchema } from '../dist/src/schema/field-schema.js'
import { newerFields } from '../dist/src/schema/parameter-paths.js'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const wanted = process.argv.slice(2)

for (const { name, pointer, operation, parameter, later } of fields) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  show(`${name} of ${operation}`, {
    row: fieldRows[operation].find(row => row.name === name),
    parameter,
    'in versions from': newerFields.find(one => pointer === `/spec/${one.name}`)?.since ?? parameter.since,
    'schema in a manifest': findFieldSchema(pointer),
    'checked by the emulator': name in configureChecks,
    'changed later by': findLaterChange(pointer),
    'in words': typeof later === 'object' ? later.immutable : later,
    'read back from': Object.values(settingReadings).find(({ field }) => field === pointer)?.path,
    'also spelled in': spelledIn(name),
  })
}

function show(title, parts) {
  process.stdout.write(`${title}\n`)
  for (const [part, value] of Object.entries(parts))
    if (value !== undefined) process.stdout.write(`  ${part}: ${JSON.stringify(value)}\n`)
}

/** The files that spell the name in quotes, beside the rows and what is generated. */
function spelledIn(name) {
  const args = [
    'grep',
    '-lwE',
    `['"]${name}['"]`,
    '--',
    'src/*.ts',
    ':!src/contract/fields.ts',
    ':!src/**/generated/**',
  ]
  try {
    return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim().split('\n')
  } catch {
    return []
  }
}
