import { newestReportedVersion } from '../contract/versions.js'
import type { JsonSchema } from '../schema/json-schema.js'
import { buildManifestSchema } from '../schema/manifest-schema.js'
import { decodeText, type Source } from './source.js'

/**
 * Reduces the lines of invalid YAML to their indentation and the names of manifest fields: the places of secrets are
 * unknown, and most mistakes are visible in the structure. `undefined` if the file is not text.
 */
export function buildSkeleton(source: Source): string | undefined {
  const names = listFieldNames()
  return decodeText(source)
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

let knownFieldNames: ReadonlySet<string> | undefined

/** Collects the names of all fields of a manifest. */
function listFieldNames(): ReadonlySet<string> {
  knownFieldNames ??= new Set(collectNames(buildManifestSchema(newestReportedVersion)))
  return knownFieldNames
}

function collectNames({ properties = {}, definitions = {} }: JsonSchema): readonly string[] {
  return [...Object.keys(properties), ...Object.values(definitions).flatMap(collectNames)]
}
