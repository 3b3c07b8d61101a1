import { emulatorProcess } from '../../../support/emulator-process.js'
import { listenTo } from '../../../support/event-stream.js'
import type { Scene } from './scene.js'

/** What the emulator prints, tells and shows of requests with secrets; a test of its own sends it every odd one. */
export async function emulated(scene: Scene): Promise<void> {
  const { place, ledger, run, emulator } = scene
  const { origin } = new URL(emulator.url)
  const stream = await listenTo(`${origin}/_emulator/events`)
  const site = place.write('site.yaml', { url: emulator.url, token: scene.reference('token') })
  const code = await run(['apply', site, '--yes', '--timeout', '60s'], { channel: 'a run at an emulator' })
  if (code !== 0) scene.complain(`apply at an emulator ended with ${code}`)
  let requests = 0
  while (requests < emulator.world().calls.any) {
    const event = JSON.stringify(await stream.next())
    if (event.includes('event":"request')) requests += 1
    ledger.see('events of the emulator', event)
  }
  stream.end()
  for (const name of ['', 'state.json', 'requests.json'])
    ledger.see(
      'the page and the documents of the emulator',
      await (await fetch(`${origin}/_emulator/${name}`)).text(),
    )
  // It was told by the test which token counts.
  const { token: _, ...kept } = emulator.world()
  ledger.see('what the emulator keeps', JSON.stringify(kept))
  const printing = await emulatorProcess(['--base-path', `/${place.control.value}`], 1, {
    env: { ...process.env, ...place.environment },
  })
  for (const url of printing.urls) ledger.see('what the emulator prints', url)
  printing.kill()
}
