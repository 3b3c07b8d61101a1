import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { emulatorProcess } from '../../support/emulator-process.js'
import { landformProgram } from '../../support/landform-program.js'

/** A site that a process of its own plays, as public sources report it, and what can be found out about it. */
export interface PlayedSite {
  /** Base URL of its administrator API. */
  readonly url: string
  readonly origin: string
  /** How many requests of an operation were carried out. */
  accepted(operation: 'configure' | 'update'): Promise<number>
  /** How many of the fourteen stages are through. */
  stagesThrough(): Promise<number>
  /** A token for who has an account, as its token service gives them. */
  token(account: { readonly username: string; readonly password: string }): Promise<string>
  /** What somebody does who is not Landform: sets what upgrades tolerate. */
  setTolerations(tolerations: readonly object[], token: string): Promise<void>
  /** Lets ten minutes go by. */
  pass(): void
  close(): void
}

interface Shown {
  readonly sites: readonly [
    { readonly through: number; readonly counters: Record<string, { readonly accepted: number }> },
  ]
}

/** Short, but for one in the middle, in which a runner dies and is replaced: that one takes as long as the story does. */
const stageTimes = ['--stage-time', '30ms', '--stage-time', 'Object store=10m']

/** The same program with a clock that can be put forward, since nobody knows how long the machines of a story take. */
const clock = `
const { now } = Date
let ahead = 0
Date.now = () => now() + ahead
process.on('SIGUSR2', () => { ahead += 600_000 })
`

/** Starts a site; `folder` is where its clock is kept, and `options` are more of `landform emulate`. */
export async function playedSite(folder: string, options: readonly string[] = []): Promise<PlayedSite> {
  const preload = join(folder, 'clock.cjs')
  writeFileSync(preload, clock)
  const words = ['--fidelity', 'field', '--base-path', '/arcgis/admin', ...stageTimes, ...options]
  const emulator = await emulatorProcess(words, 1, {
    command: [process.execPath, '--require', preload, landformProgram],
  })
  const [url = ''] = emulator.urls
  const { origin } = new URL(url)
  const shown = async () => {
    const answer = await fetch(`${origin}/_emulator/state.json`)
    return ((await answer.json()) as Shown).sites[0]
  }
  const sent = async (address: string, fields: Readonly<Record<string, string>>) => {
    const answer = await fetch(address, {
      method: 'POST',
      body: new URLSearchParams({ f: 'json', ...fields }),
    })
    const body = (await answer.json()) as { readonly error?: object; readonly token?: string }
    if (body.error !== undefined) throw new Error(`${address}: ${JSON.stringify(body.error)}`)
    return body
  }
  return {
    url,
    origin,
    accepted: async operation => (await shown()).counters[operation]?.accepted ?? 0,
    stagesThrough: async () => (await shown()).through,
    async token(account) {
      const address = `${origin}/arcgis/sharing/rest/generateToken`
      const { token } = await sent(address, { ...account, client: 'referer', referer: url })
      return token ?? ''
    },
    async setTolerations(tolerations, token) {
      const upgradeConfig = JSON.stringify({ podPlacementPolicy: { nodeAffinity: {}, tolerations } })
      await sent(`${url}/system/upgrades/config/update`, { upgradeConfig, token })
    },
    pass: () => emulator.kill('SIGUSR2'),
    close: () => emulator.kill(),
  }
}
