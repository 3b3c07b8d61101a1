import { parameterPaths } from './parameter-paths.js'

/** Formats the Markdown table *manifest path → request parameter → since version* of `src/README.md`. */
export function formatManifestTable(): string {
  const rows = parameterPaths.map(({ pointer, operation, parameter }) => {
    const path = pointer.slice(1).replaceAll('/', '.')
    return `| \`${path}\` | \`${operation}\` | \`${parameter.name}\` | ${parameter.since} | §${parameter.section} |`
  })
  return ['| manifest | operation | parameter | since | Service |', '|---|---|---|---|---|', ...rows].join(
    '\n',
  )
}
