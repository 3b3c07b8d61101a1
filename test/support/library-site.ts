import { cpSync } from 'node:fs'
import { join } from 'node:path'
import type { SiteRequest } from '../../src/index.js'
import { memoryBackend } from '../../src/state/memory-backend.js'
import { root } from './manifests.js'
import { someSecrets } from './some-secrets.js'
import { temporaryFolder } from './temporary-folder.js'
import { virtualClock } from './virtual-clock.js'

/** Returns a request to plan the quickstart manifest, copied to a new folder, at an address. */
export async function aRequest(url: string, clock = virtualClock()) {
  const folder = await temporaryFolder()
  const file = join(folder, 'site.yaml')
  cpSync(join(root, 'examples/licenses'), join(folder, 'licenses'), { recursive: true })
  cpSync(join(root, 'examples/quickstart.yaml'), file)
  const ports = { clock, random: () => 0.5 }
  return {
    folder,
    file,
    url,
    environment: someSecrets,
    state: memoryBackend(),
    ports,
  } satisfies SiteRequest & { readonly folder: string }
}
