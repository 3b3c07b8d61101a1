import { newestReportedVersion } from '../contract/versions.js'
import type { JsonSchema } from '../schema/json-schema.js'
import { manifestSchema } from '../schema/manifest-schema.js'
import { type Source, textOf } from './source.js'

/**
 * Reduces the lines of invalid YAML to their indentation and the names of manifest fields: the places of secrets are
 * unknown, and most mistakes are visible in the structure. `undefined` if the file is not text.
 */
export function skeletonText(source: Source): string | undefined {
  const names = fieldNames()
  return textOf(source)
    ?.split('\n')
    .map(line => {
      const [, shape = '', name = '', rest = ''] =
        /^([\s-]*)(?:["']?([\w./-]{1,63})["']?\s*:)?(.*)$/.exec(line) ?? []
      const key = names.has(name) ? `${name}:` : name === '' ? '' : '…'
      const more = rest.trim() === '' ? '' : key === '' || key === '…' ? '…' : ' …'
      return key === '…' ? `${shape}…` : `${shape}${key}${more}`
    })
    .join('\n')
}

let known: ReadonlySet<string> | undefined

/** Collects the names of all fields of a manifest. */
function fieldNames(): ReadonlySet<string> {
  known ??= new Set(namesIn(manifestSchema(newestReportedVersion)))
  return known
}

function namesIn({ properties = {}, definitions = {} }: JsonSchema): readonly string[] {
  return [...Object.keys(properties), ...Object.values(definitions).flatMap(namesIn)]
}
