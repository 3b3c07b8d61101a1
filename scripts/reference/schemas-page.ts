import { manifestVersions } from '../../src/contract/versions.js'
import type { JsonSchema } from '../../src/schema/json-schema.js'
import { generateArtifacts } from './artifacts.js'
import { formatNotice, formatTable } from './markdown.js'

/** Builds `docs/reference/schemas.md`: every published schema. */
export function buildSchemasPage(): string {
  const published = [...generateArtifacts()].flatMap(([path, content]) => {
    const name = path.replace('schemas/', '')
    return name === path ? [] : [{ name, schema: JSON.parse(content) as JsonSchema }]
  })
  const of = (kind: Kind) => published.filter(({ name }) => classifySchema(name) === kind)
  const rows = (kind: Kind) =>
    of(kind).map(
      ({ name, schema }) =>
        [formatLink(name), describeSchema(name, schema), readFormatVersion(schema)] as const,
    )
  return [
    formatNotice('the published schemas'),
    '',
    '# Schemas',
    '',
    'All schemas are JSON Schema draft-07, and part of the package: `landform/schemas/NAME`. Each loads alone, and its',
    "`$id` is a name, not an address. They are generated from the contract of the service, and tests validate Landform's",
    'output against them. *Format* is the `formatVersion` of a document: adding a member does not change it, any other',
    'change does.',
    '',
    '## Files that you write',
    '',
    'The first line of a manifest tells editors its schema:',
    '`# yaml-language-server: $schema=../schemas/deployment.schema.json`. `landform schema` prints it, and with',
    `\`--service-version\` that of one version (${manifestVersions.join(', ')}).`,
    '',
    ...formatTable(['schema', 'describes', 'format'], rows('written')),
    '',
    '## Files that Landform writes',
    '',
    ...formatTable(['schema', 'describes', 'format'], rows('read')),
    '',
    '[Plans](plan.md) and [events](events.md) have their own pages.',
    '',
    '## Responses of the service',
    '',
    'Unknown members are allowed.',
    '',
    ...formatTable(['schema', 'describes', 'format'], rows('answered')),
    '',
  ].join('\n')
}

type Kind = 'written' | 'read' | 'answered'

function classifySchema(name: string): Kind {
  if (/^(deployment|overlay|policy|scenario|test\.)/.test(name)) return 'written'
  return name.startsWith('response-') ? 'answered' : 'read'
}

function formatLink(name: string): string {
  return `[${name.replace('.schema.json', '')}](../../schemas/${name})`
}

/** Descriptions of the response schemas, which have none of their own. */
const answers: Readonly<Record<string, string>> = {
  'response-root.schema.json': 'The root resource, and the response to `configure`.',
  'response-export-result.schema.json': 'The response to `exportSite`.',
  'response-done.schema.json': 'The response to `deleteAll` and `update`.',
  'response-error.schema.json': 'An error body.',
}

function describeSchema(name: string, { description }: JsonSchema): string {
  const text = answers[name] ?? description
  if (text === undefined) throw new Error(`${name} has no description`)
  return text
}

function readFormatVersion({ properties, oneOf = [] }: JsonSchema): string {
  const owners = [properties, ...oneOf.map(one => one.properties)]
  const versions = owners.flatMap(one => {
    const { formatVersion, apiVersion } = one ?? {}
    const marked = formatVersion || apiVersion || undefined
    return marked?.const === undefined ? [] : [String(marked.const)]
  })
  return versions[0] ?? ''
}
