import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { catalog } from '../../src/diagnostics/catalog.js'
import type { DiagnosticCode } from '../../src/diagnostics/diagnostic.js'
import { loadManifest } from '../../src/manifest/load-manifest.js'
import { isClean } from '../../src/manifest/quick-check.js'
import { aSource, startOf } from '../support/changed-manifest.js'

const folder = join(process.cwd(), 'test', 'invalid')
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter(path => /\.\w+$/.test(path))
  .map(path => path.replaceAll('\\', '/'))
  .sort()

/** `volume/missing-component.all.yaml` shows `volume/missing-component`. */
const codeOf = (file: string) => file.replace(/(?:\.[\w-]+)?\.yaml$/, '')

// The first line of a file says where its mistake is, and what cannot but stand beside it.
/** Of files that do not begin with the line that says where their mistake is. */
const places: Readonly<Record<string, string>> = { 'volume/missing-component.yaml': '25:3' }

describe('test/invalid', () => {
  const codes = Object.keys(catalog) as DiagnosticCode[]
  const manifestCodes = codes.filter(code => catalog[code].phase === 'manifest')

  test.each(manifestCodes)('has a file for %s', code => {
    expect(files.map(codeOf)).toContain(code)
  })

  test('names a code of the catalog in every path', () => {
    expect(files.map(codeOf).filter(code => !manifestCodes.some(known => known === code))).toEqual([])
  })

  test.each(files)('%s is one mistake, found where it is', file => {
    const bytes = readFileSync(join(folder, file))
    const header = /^# expect: (\d+:\d+)(?: beside (\S+))?\n/
    const [, expected, beside] = header.exec(bytes.toString('latin1')) ?? ['', places[file]]
    const { diagnostics } = loadManifest({ name: file, bytes })
    const others = diagnostics.filter(({ code }) => code === beside)
    expect(others).toHaveLength(beside === undefined ? 0 : 1)
    const [mistake, ...more] = diagnostics.filter(({ code }) => code !== beside)
    expect(more).toEqual([])
    expect(`${mistake?.code} ${mistake && startOf(mistake)}`).toBe(`${codeOf(file)} ${expected}`)
    expect(mistake?.place?.file).toBe(file)
    expect(isClean({ name: file, bytes })).toBe(false)
  })

  test('only a warning lets a manifest pass', () => {
    const passing = files.filter(
      file => loadManifest({ name: file, bytes: readFileSync(join(folder, file)) }).ok,
    )
    expect(passing.map(codeOf)).toEqual(
      files.map(codeOf).filter(code => catalog[code as DiagnosticCode].severity === 'warning'),
    )
  })

  // Files that cannot hold the line that says where their mistake is.
  test.each([
    { name: 'a file of no bytes', content: '', code: 'yaml/empty' },
    { name: 'a file of blank lines', content: '\n \n\n', code: 'yaml/empty' },
    { name: 'nothing but a byte order mark', content: '\uFEFF', code: 'yaml/empty' },
    { name: 'a NUL', content: 'kind: Site\0Deployment\n', code: 'yaml/not-text' },
    { name: 'UTF-16', content: new Uint8Array([0xff, 0xfe, 0x61, 0x00]), code: 'yaml/not-text' },
  ])('$name is one mistake at the beginning', ({ content, code }) => {
    const { diagnostics } = loadManifest(aSource(content))
    expect(diagnostics.map(diagnostic => `${diagnostic.code} ${startOf(diagnostic)}`)).toEqual([
      `${code} 1:1`,
    ])
  })
})
