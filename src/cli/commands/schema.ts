import { parseVersion } from '../../contract/version.js'
import { manifestVersions, since } from '../../contract/versions.js'
import { editorSchema, manifestSchema, schemaVersionFor } from '../../schema/manifest-schema.js'
import { overlaySchema } from '../../schema/overlay-schema.js'
import { command } from '../command.js'
import { exitCodes } from '../exit-code.js'
import { commonOptions } from '../options.js'
import { jsonText } from '../output.js'
import { UsageError } from '../usage-error.js'

/** Prints the JSON Schema of manifests: the one for editors, that of a service version, or that of overlays. */
export const schema = command({
  arguments: [],
  options: {
    'service-version': {
      kind: 'text',
      value: 'VERSION',
      suggests: manifestVersions,
      describe: 'Only the fields of this version [default: those of spec.site.version]',
    },
    overlay: { kind: 'flag', describe: 'The schema of files that extend a manifest, and of their bases' },
    ...commonOptions,
  },
  examples: [
    ['schema > deployment.schema.json', 'for an editor'],
    ['schema --overlay > overlay.schema.json', 'for files with extends'],
    ['schema --service-version 10.9.1', 'for one version'],
  ],
  async run({ 'service-version': serviceVersion, overlay }, host) {
    if (overlay && serviceVersion !== undefined)
      throw new UsageError('--overlay has the fields of every version; leave --service-version out')
    const whole = serviceVersion === undefined ? editorSchema() : schemaFor(serviceVersion)
    host.stdout.write(jsonText(overlay ? overlaySchema() : whole))
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
