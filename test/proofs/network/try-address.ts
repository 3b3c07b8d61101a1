import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../../../src/cli/run.js'
import { connectProxy } from '../../support/connect-proxy.js'
import { fakeHost } from '../../support/fake-host.js'
import { connectionsOf } from './connections.js'
import { aCaller, type Caller, type Operation } from './operations.js'
import type { RedirectGround } from './try-redirect.js'

const pinned = 'https://gis.example.org'

/** The codes of a command line, a manifest, and a policy that say no. */
const rejections: readonly number[] = [64, 65, 78]

/** Runs command lines where one origin alone is allowed and a proxy stands ready for any: what they ended with and asked for. */
async function watched(caller: Caller, port: number, lines: readonly (readonly string[])[]) {
  const proxy = await connectProxy({ toPort: port })
  const way = `http://127.0.0.1:${proxy.port}`
  const environment = { ...caller.secrets.environment, HTTPS_PROXY: way, ALL_PROXY: way }
  const { done, begun } = await connectionsOf(async () => {
    const ends: number[] = []
    for (const words of lines)
      ends.push(await run([...words, '--allow-origin', pinned], fakeHost({ environment })))
    return ends
  })
  const asked = [...new Set(proxy.received.map(text => text.split(' ', 2).join(' ')))]
  return { ends: done, begun, asked }
}

function listAskedViolations({ ends, begun, asked }: Awaited<ReturnType<typeof watched>>): readonly string[] {
  return [
    ...(ends.every(code => rejections.includes(code)) ? [] : [`it ends with ${ends.join(' and ')}`]),
    ...begun.map(one => `it began a connection to ${one}`),
    ...asked.map(one => `the proxy heard ${one}`),
  ]
}

/** Runs an operation at an address, given on the command line and then in the manifest: what was asked anywhere. */
export async function addressComplaints(
  address: string,
  operation: Operation,
  { house }: RedirectGround,
): Promise<readonly string[]> {
  const caller = await aCaller(operation, house)
  const usual = `${pinned}/arcgis/admin`
  const words = caller.words(usual)
  const manifest = join(caller.folder, 'site.yaml')
  const text = readFileSync(manifest, 'utf8')
  writeFileSync(
    manifest,
    text.replace(`url: ${usual}`, () => `url: ${JSON.stringify(address)}`),
  )
  const at = words.indexOf('--url')
  const byOption = words.with(at + 1, address)
  const byManifest = words.toSpliced(at, 2)
  return listAskedViolations(await watched(caller, house.port, [byOption, byManifest]))
}

/** Deletes the webhooks of a service of this name: what was asked anywhere. */
export async function serviceComplaints(
  service: string,
  { house }: RedirectGround,
): Promise<readonly string[]> {
  const caller = await aCaller('deleteAll', house)
  const words = caller.words(`${pinned}/arcgis/admin`)
  const named = words.map(word => word.replace('Roads.FeatureServer', () => service))
  return listAskedViolations(await watched(caller, house.port, [named]))
}

/** The pinned origin itself is asked, through the proxy, and nobody else: so the ways to notice do notice. */
export async function pinnedComplaints(
  operation: Operation,
  { house, trusted }: RedirectGround,
): Promise<readonly string[]> {
  const caller = await aCaller(operation, house, trusted.authority.cert)
  const url = `${pinned}${caller.housed.path}`
  const { ends, begun, asked } = await watched(caller, house.port, [caller.words(url)])
  return [
    ...(ends[0] === 0 ? [] : [`it ends with ${ends[0]}`]),
    ...(asked.join() === 'CONNECT gis.example.org:443' ? [] : [`the proxy heard ${asked.join(', ')}`]),
    ...(begun.length > 0 ? [] : ['no connection was noticed']),
  ]
}
