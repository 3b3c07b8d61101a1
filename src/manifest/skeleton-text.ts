import { newestReportedVersion } from '../contract/versions.js'
import type { JsonSchema } from '../schema/json-schema.js'
import { manifestSchema } from '../schema/manifest-schema.js'
import { type Source, textOf } from './source.js'

/**
 * The lines of a text that cannot be read as YAML, with nothing in them but indentation and the names of fields that
 * manifests have: nothing tells where a secret stands, and what is wrong is mostly the shape. `undefined` when the
 * file is no text.
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

/** The names of all fields of all parts of a manifest. */
function fieldNames(): ReadonlySet<string> {
  known ??= new Set(namesIn(manifestSchema(newestReportedVersion)))
  return known
}

function namesIn({ properties = {}, definitions = {} }: JsonSchema): readonly string[] {
  return [...Object.keys(properties), ...Object.values(definitions).flatMap(namesIn)]
}
