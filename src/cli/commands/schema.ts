import { manifestVersions } from '../../contract/versions.js'
import { catalog } from '../../diagnostics/diagnostic.js'
import { type ExitCode, exitCodes, UsageError } from '../../report/exit-code.js'
import { buildVersionSchema, editorSchemas } from '../../schema/editor-schemas.js'
import { type ArgumentsOf, declare, flag, pair, text } from '../command.js'
import { commonOptions } from '../command-options.js'
import type { Host } from '../host.js'
import { parseManifestVersion } from '../options.js'
import { jsonText } from '../terminal/output.js'

const declaration = declare({
  name: 'schema',
  describe: 'Print the JSON Schema of manifests',
  touches: 'nothing',
  arguments: [],
  options: {
    'service-version': text(
      'VERSION',
      'Only the fields of this version [default: follow spec.site.version]',
      {
        suggests: manifestVersions,
      },
    ),
    overlay: flag('The schema of files that extend a manifest, and of their bases'),
    policy: flag('The schema of landform.policy.yaml, the rules of a team'),
    test: flag('The schema of *.test.yaml, the tests of manifests'),
    ...commonOptions,
  },
  examples: [
    ['schema > deployment.schema.json', 'for an editor'],
    ['schema --overlay > overlay.schema.json', 'for files with extends'],
    ['schema --policy > policy.schema.json', 'for the rules of a team'],
    ['schema --test > test.schema.json', 'for tests of manifests'],
    ['schema --service-version 10.9.1', 'for one version'],
  ],
})

/** Prints a JSON Schema: of manifests, of one service version, of overlays, of policies or of tests. */
async function schema(
  { 'service-version': text, overlay, policy, test }: ArgumentsOf<typeof declaration>,
  host: Host,
): Promise<ExitCode> {
  if (test && (policy || overlay || text !== undefined))
    throw new UsageError('--test is one document for every version; remove the other options')
  if (policy && (overlay || text !== undefined))
    throw new UsageError('--policy is one document for every version; remove the other options')
  if (overlay && text !== undefined)
    throw new UsageError('--overlay has the fields of every version; remove --service-version')
  if (test) host.stdout.write(jsonText(editorSchemas.test(Object.keys(catalog))))
  else if (policy) host.stdout.write(jsonText(editorSchemas.policy()))
  else if (overlay) host.stdout.write(jsonText(editorSchemas.overlay()))
  else if (text === undefined) host.stdout.write(jsonText(editorSchemas.deployment()))
  else host.stdout.write(jsonText(buildVersionSchema(parseManifestVersion(text).schema)))
  return exitCodes.done
}

export const command = pair(declaration, schema)
