import { readFileSync } from 'node:fs'
import { inspect } from 'node:util'
import { run } from '../../../../src/cli/run.js'
import { siteOperator } from '../../../../src/client/site-operator.js'
import { siteWriter } from '../../../../src/client/site-writer.js'
import { parseBuiltInRules } from '../../../../src/emulator/faults/notation.js'
import { startEmulator } from '../../../../src/emulator/server.js'
import { loadManifest } from '../../../../src/manifest/load-manifest.js'
import { listConfigureReferences } from '../../../../src/secrets/needed-references.js'
import { resolve } from '../../../../src/secrets/resolve.js'
import { Secret } from '../../../../src/secrets/secret.js'
import { secretSource } from '../../../../src/secrets/secret-source.js'
import { fakeHost } from '../../../support/fake-host.js'
import { freePort } from '../../../support/http-double.js'
import type { Scene } from './scene.js'

const everything = { depth: Number.POSITIVE_INFINITY, showHidden: true, getters: true } as const

/** Searches the printed values that the library returns to a program, and a live terminal. */
export async function values(scene: Scene): Promise<void> {
  const { place, front, ledger, emulator } = scene
  const { folder, environment, control } = place
  const file = place.write('site.yaml', { url: front.url, token: scene.reference('token') })
  const loaded = loadManifest({ name: file, bytes: readFileSync(file) })
  if (!loaded.ok) return scene.report(inspect(loaded, everything))
  const source = secretSource(environment, folder)
  const resolved = await resolve(listConfigureReferences(loaded.value.organization), source)
  if (!resolved.ok) return scene.report(inspect(resolved, everything))
  const shown = (channel: string, value: unknown) => {
    ledger.see(channel, inspect([control.value, value], everything))
    ledger.see(channel, `${control.value} ${value} ${JSON.stringify(value)}`)
  }
  shown('a printed secret', [...resolved.value.secrets])
  shown('a printed secret', new Secret(Buffer.from(place.canaries.token)))
  const { signal } = new AbortController()
  const nowhere = `http://127.0.0.1:${await freePort()}/${control.value}`
  for (const url of [nowhere, front.url]) {
    const writer = siteWriter(url)
    const opened = await writer.openConfigure(loaded.value.organization, resolved.value.secrets, signal)
    shown('failures as values', opened)
    if (opened.ok) shown('failures as values', await opened.value.send(AbortSignal.abort()))
    const request = { service: { path: [control.value], type: 'FeatureServer' } } as never
    const tried = siteOperator(url).deleteAll(request, resolved.value.secrets, { deadlineMs: 5000, signal })
    shown('failures as values', await tried.catch((error: unknown) => [error, (error as Error).cause]))
  }
  // The notification at the end repeats this error message.
  const refusing = await startEmulator({
    faults: parseBuiltInRules([`configure=error:400,message:${control.value}`]),
  })
  const host = fakeHost({ environment })
  const stderr = { ...host.stderr, isTerminal: true, columns: 100, rows: 40 }
  const live = ['apply', file, '--yes', '--notify', '--progress', 'live']
  for (const url of [refusing.url, emulator.url]) await run([...live, '--url', url], { ...host, stderr })
  await refusing.close()
  ledger.see('a live terminal', host.screen())
  for (const notification of host.err().split('\x1b]9;').slice(1)) ledger.see('notifications', notification)
}
