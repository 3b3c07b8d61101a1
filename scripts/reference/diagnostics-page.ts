import { citePublicly } from '../../src/contract/vendor-pages.js'
import { catalog, type DiagnosticCode } from '../../src/diagnostics/diagnostic.js'
import { findCatalogPage } from '../../src/report/explain.js'
import { buildAnchor, formatNotice } from './markdown.js'

/** Builds `docs/reference/diagnostics.md`: every code with its severity, source and explanation. */
export function diagnosticsPage(): string {
  const codes = (Object.keys(catalog) as DiagnosticCode[]).sort()
  return [
    formatNotice('src/diagnostics'),
    '',
    '# Diagnostics',
    '',
    'Every diagnostic that Landform reports. `landform explain CODE` prints the same text. Errors are based on the service',
    'document, Kubernetes, cloud providers, YAML, or Landform itself. A rule about the service that only public sources',
    'support is a warning.',
    '',
    '| code | severity | when | source | |',
    '|---|---|---|---|---|',
    ...codes.map(formatRow),
    '',
    ...codes.flatMap(formatCodeSection),
  ].join('\n')
}

const when = {
  manifest: 'validate',
  references: 'validate --check-secrets, plan, apply',
  rules: 'validate, plan, apply',
  files: 'validate of several files',
  plan: 'plan, apply',
  cluster: 'plan --storage-classes',
  policy: 'validate, plan, apply',
  scenario: '--scenario FILE',
  properties: 'init, adopt --from-properties FILE',
  test: 'test',
} as const

function formatRow(code: DiagnosticCode): string {
  const { severity, phase, source, title } = findCatalogPage(code)
  const reading = code.startsWith('extends/') ? when.manifest : when[phase]
  return `| [\`${code}\`](#${buildAnchor(code)}) | ${severity} | ${reading} | ${formatSource(source)} | ${title} |`
}

/** Formats a source with links to the public pages of the vendor. */
function formatSource(source: string): string {
  return (citePublicly(source) ?? '').replaceAll(/https:[^;, ]+/g, page => `[vendor](${page})`)
}

function formatCodeSection(code: DiagnosticCode): readonly string[] {
  const { severity, source, title, text, example } = findCatalogPage(code)
  const yaml = (lines: string) => ['```yaml', lines, '```', '']
  return [
    `## ${code}`,
    '',
    `*${severity}; ${formatSource(source)}*. **${title}.** ${text}`,
    '',
    ...(example === undefined
      ? []
      : ['Wrong:', '', ...yaml(example.wrong), 'Right:', '', ...yaml(example.right)]),
  ]
}
