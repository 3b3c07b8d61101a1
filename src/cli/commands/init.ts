import type { ExitCode } from '../../report/exit-code.js'
import type { ArgumentsOf } from '../command.js'
import type { init as declaration } from '../declarations/manifests.js'
import type { Host } from '../host.js'
import { migrateProperties } from '../init/migrate-properties.js'
import { startManifest } from '../init/start-manifest.js'

/** Writes a new manifest and, on request, the file of a CI system. Prompts for missing values on a terminal. */
export function init(
  { file = 'site.yaml', schema, force, yes, quiet, color, ...others }: ArgumentsOf<typeof declaration>,
  host: Host,
): Promise<ExitCode> {
  const { 'no-input': noInput, 'from-properties': files, ...given } = others
  const choices = { file, schema, force, yes, quiet, color, 'no-input': noInput }
  return files.length === 0
    ? startManifest(given, choices, host)
    : migrateProperties(files, { given, choices }, host)
}
