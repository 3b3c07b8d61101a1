import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const entryPoints = [
  ['landform', 'src/index.ts'],
  ['landform/cli', 'src/entry/cli.ts'],
  ['landform/report', 'src/entry/report.ts'],
  ['landform/sites', 'src/entry/sites.ts'],
  ['landform/state', 'src/entry/state.ts'],
] as const

/** Builds the page of the entry points of the package, from the files that declare them. */
export function buildEntryPointsPage(root: string): string {
  return `# Entry points

The package \`landform\` has these entry points for programs. Most programs need only \`landform\`
([guide](../how-to/library.md)); the others export what \`@landform/fleet\` is built from. All have documented types, and
the version of the program.
${entryPoints.map(([name, file]) => formatEntryPoint(name, readFileSync(join(root, file), 'utf8'))).join('')}`
}

function formatEntryPoint(name: string, text: string): string {
  const [, purpose = ''] = /^\/\*\* (.+?) \*\//s.exec(text) ?? []
  const names = [...text.matchAll(/export (type )?\{([^}]+)\}/g)].flatMap(([, allTypes, list = '']) =>
    list
      .split(',')
      .map(one => one.trim())
      .filter(one => one !== '')
      .map(one => ({
        name: one.replace(/^type /, ''),
        isType: allTypes !== undefined || one.startsWith('type '),
      })),
  )
  const list = (isType: boolean) =>
    names
      .filter(one => one.isType === isType)
      .map(one => `\`${one.name}\``)
      .sort()
      .join(', ')
  return `
## ${name}

${purpose}

- Values: ${list(false)}
- Types: ${list(true)}
`
}
