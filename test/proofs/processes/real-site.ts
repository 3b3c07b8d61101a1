import { emulatorProcess } from '../../support/emulator-process.js'
import type { SiteFacts } from '../judge/facts.js'

/** Sites of an emulator in its own process. */
export interface RealSites {
  readonly urls: readonly string[]
  counted(url: string): Promise<SiteFacts>
  close(): void
}

interface Shown {
  readonly url: string
  readonly state: string
  readonly counters: Record<'configure' | 'update', { readonly received: number; readonly accepted: number }>
}

const states: Readonly<Record<string, SiteFacts['state']>> = {
  not_configured: 'not-configured',
  in_progress: 'in-progress',
  ready: 'ready',
  configured: 'ready',
  failed: 'failed',
}

/** Starts an emulator with many sites in its own process. Options are those of `landform emulate`. */
export async function realSites(count: number, ...options: readonly string[]): Promise<RealSites> {
  const emulator = await emulatorProcess(['--stage-time', '5ms', ...options], count)
  const { urls } = emulator
  const [first = ''] = urls
  return {
    urls,
    async counted(url) {
      const answer = await fetch(new URL('/_emulator/state.json', first))
      const { sites } = (await answer.json()) as { readonly sites: readonly Shown[] }
      const site = sites.find(one => one.url === url)
      if (site === undefined) throw new Error(`no site has the address ${url}`)
      const { configure, update } = site.counters
      return { state: states[site.state] ?? 'failed', ...configure, hasPolicy: update.accepted > 0 }
    },
    close: () => emulator.kill(),
  }
}
