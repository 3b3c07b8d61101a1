import { join } from 'node:path'
import { anEmulator } from './emulator.js'
import { writeExample } from './example-copy.js'
import { landform } from './landform.js'
import { someSecrets } from './some-secrets.js'
import { temporaryFolder } from './temporary-folder.js'

/** Starts a site before each test, with a new folder for its manifest. Returns both, and functions that use them. */
export function eachDeclaredSite(environment: () => Readonly<Record<string, string>>) {
  const at = { folder: '', url: '' }
  beforeEach(async () => {
    at.folder = await temporaryFolder()
    at.url = (await anEmulator({ stageMs: 1 })).url
  })
  return {
    at,
    manifest: () => join(at.folder, 'site.yaml'),
    /** Writes the manifest with a state location. */
    declare: (state: string, url = at.url) => void writeExample(at.folder, { url, state }),
    run: (args: readonly string[], changes: Readonly<Record<string, string>> = {}) =>
      landform(args, { environment: { ...someSecrets, ...environment(), ...changes }, folder: at.folder }),
  }
}
