import type { SiteRequest } from '../../src/index.js'
import { memoryBackend } from '../../src/state/memory-backend.js'
import { writeExample } from './example-copy.js'
import { someSecrets } from './some-secrets.js'
import { temporaryFolder } from './temporary-folder.js'
import { virtualClock } from './virtual-clock.js'

/** Returns a request to plan the quickstart manifest, copied to a new folder, at an address. */
export async function aRequest(url: string, clock = virtualClock()) {
  const folder = await temporaryFolder()
  return {
    folder,
    file: writeExample(folder),
    url,
    environment: someSecrets,
    state: memoryBackend(),
    ports: { clock, random: () => 0.5 },
  } satisfies SiteRequest & { readonly folder: string }
}
