import { parseVersion } from '../../contract/version.js'
import { since } from '../../contract/versions.js'
import { editorSchema, manifestSchema, schemaVersionFor } from '../../schema/manifest-schema.js'
import { command } from '../command.js'
import { exitCodes } from '../exit-code.js'
import { commonOptions } from '../options.js'
import { jsonText } from '../output.js'
import { UsageError } from '../usage-error.js'

/** Prints the JSON Schema of manifests: the one for editors, or the one of a service version. */
export const schema = command({
  arguments: [],
  options: {
    'service-version': {
      kind: 'text',
      value: 'VERSION',
      describe: 'Only the fields of this version [default: those of spec.site.version]',
    },
    ...commonOptions,
  },
  examples: [
    ['schema > deployment.schema.json', 'for an editor'],
    ['schema --service-version 10.9.1', 'for one version'],
  ],
  async run({ 'service-version': serviceVersion }, host) {
    host.stdout.write(jsonText(serviceVersion === undefined ? editorSchema() : schemaFor(serviceVersion)))
    return exitCodes.done
  },
})

function schemaFor(text: string) {
  const version = parseVersion(text)
  if (version === undefined) throw new UsageError(`${JSON.stringify(text)} is not a version such as 11.2`)
  const known = schemaVersionFor(version)
  if (known === undefined)
    throw new UsageError(`service version ${version} has no configure, which came with ${since('configure')}`)
  return manifestSchema(known)
}
