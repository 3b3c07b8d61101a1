import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { diagnosticsPage, formatSource } from '../../../scripts/reference/diagnostics-page.js'
import { catalog } from '../../../src/diagnostics/catalog.js'
import type { DiagnosticCode } from '../../../src/diagnostics/diagnostic.js'
import { root } from '../../support/manifests.js'

const codes = Object.keys(catalog) as DiagnosticCode[]
const page = readFileSync(join(root, 'docs', 'reference', 'diagnostics.md'), 'utf8')

test('docs/reference/diagnostics.md is as it would be generated now', () => {
  expect(page === diagnosticsPage() ? 'fresh' : 'stale: run `npm run generate`').toBe('fresh')
})

test.each(codes)('%s has a row with its severity and source, and a section that the row leads to', code => {
  const { severity, source, title } = catalog[code]
  const row = page.split('\n').find(line => line.startsWith(`| [\`${code}\`](#${code.replace('/', '')}) |`))
  expect(row).toContain(`| ${severity} |`)
  expect(row).toContain(`| ${formatSource(source)} | ${title} |`)
  expect(row).not.toContain('Service')
  expect(page).toContain(`\n## ${code}\n`)
})

test('there is no row for what does not exist', () => {
  expect([...page.matchAll(/^\| \[/gm)]).toHaveLength(codes.length)
  expect([...page.matchAll(/^## /gm)]).toHaveLength(codes.length)
})
