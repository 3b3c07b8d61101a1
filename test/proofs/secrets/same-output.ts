import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../../../src/cli/run.js'
import { startEmulator } from '../../../src/emulator/server.js'
import { fakeHost } from '../../support/fake-host.js'
import { freePort } from '../../support/http-double.js'
import { virtualClock } from '../../support/virtual-clock.js'
import { type Canaries, canariesOf } from './canaries.js'
import { placeIn } from './channels/place.js'

/** The comparison of the same commands with different secrets. */
export interface Compared {
  readonly outputs: number
  readonly differences: readonly string[]
  /** True if another name of the site made a difference, as it must. */
  readonly isSensitive: boolean
}

/**
 * Runs the same commands with different secrets, some of them frequent words of the output. Output, plan and state must stay
 * the same, which shows that nothing is redacted by its content.
 */
export async function sameFor(scratch: string, seed: number): Promise<Compared> {
  const port = await freePort()
  const folder = join(scratch, 'same')
  // A plan contains the digest of its license on purpose.
  const { license } = canariesOf(seed)
  const outputsFor = (secrets: Partial<Canaries>, named = seed) =>
    outputsOf({ folder, port, seed: named, secrets: { ...secrets, license } })
  const first = await outputsFor(withoutWarnings(canariesOf(seed)))
  const others = [withoutWarnings(canariesOf(seed + 1)), innocent]
  const differences: string[] = []
  for (const other of others) {
    const second = await outputsFor(other)
    for (const [name, text] of first)
      if (second.get(name) !== text)
        differences.push(`${name} differs: ${differenceOf(text, second.get(name) ?? '')}`)
  }
  const renamed = await outputsFor(withoutWarnings(canariesOf(seed)), seed + 1)
  const isSensitive = ['the saved plan', 'the events', 'state'].every(
    name => renamed.get(name) !== first.get(name),
  )
  return { outputs: first.size * others.length, differences, isSensitive }
}

/** Removes the characters outside ASCII, for which a password gets a warning. */
function withoutWarnings(canaries: Canaries): Canaries {
  return { ...canaries, password: canaries.password.replaceAll(/[^ -~]/g, '-') }
}

/** Secrets that are words of the commands, the manifest and the outputs. */
const innocent: Partial<Canaries> = {
  // A password without a special character gets a warning.
  password: 'siteadmin-1',
  answer: 'site',
  token: 'x',
  accessKey: 'apply',
  secretKey: 'configure',
  storageAccountKey: 'admin',
  hmacAccessKey: 'plan',
  hmacSecretKey: 'stages',
}

interface World {
  readonly folder: string
  readonly port: number
  readonly seed: number
  readonly secrets: Partial<Canaries>
}

async function outputsOf({ folder, port, seed, secrets }: World): Promise<ReadonlyMap<string, string>> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  const place = placeIn(folder, seed, { sources: 'variables', secrets })
  const clock = virtualClock()
  const { token } = place.canaries
  const emulator = await startEmulator({
    port,
    basePath: '/gis/admin',
    fidelity: 'field',
    stageMs: 60_000,
    now: clock.now,
    wait: clock.sleep,
    token,
  })
  const reference = place.option('token').split(':')[1]
  const site = place.write('site.yaml', { url: emulator.url, token: { env: reference } })
  const plan = join(folder, 'plan.json')
  const outputs = new Map<string, string>()
  const commands = [
    ['validate', site, '--check-secrets'],
    ['plan', site, '-v', '--out', plan],
    ['plan', site, '--format', 'json'],
    ['plan', site, '--format', 'html'],
    ['plan', site, '--format', 'markdown'],
    ['render', site, '--wire'],
    [
      'apply',
      plan,
      '--yes',
      '-v',
      '--timeout',
      '1h',
      '--poll-interval',
      '20s',
      '--events',
      join(folder, 'events'),
    ],
    ['status', site, '-v'],
    ['drift', site, '-v'],
    ['render', site, '--origins'],
    ['state', 'show', site, '-v'],
  ]
  for (const [at, words] of commands.entries()) {
    const host = { ...fakeHost({ environment: place.environment }), clock }
    const code = await run(words, host)
    outputs.set(`${at} ${words[0]}`, withoutChance(`${code} ${host.out()}${host.err()}`))
  }
  await emulator.close()
  outputs.set('the saved plan', readFileSync(plan, 'utf8'))
  outputs.set('the events', withoutChance(readFileSync(join(folder, 'events'), 'utf8')))
  const kept = join(folder, '.landform')
  const names = readdirSync(kept, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.json'))
    .sort()
  outputs.set('state', withoutChance(names.map(name => readFileSync(join(kept, name), 'utf8')).join('\n')))
  return outputs
}

/** Replaces random values, and digests of them. */
function withoutChance(text: string): string {
  return text.replaceAll(
    /"?(?:nonce|previous|checksum|request|lineage|emulator)"?:?\s+"?(?:sha256:)?[0-9a-f-]{8,}"?/g,
    'CHANCE',
  )
}

function differenceOf(one: string, other: string): string {
  const at = [...one].findIndex((letter, index) => letter !== other[index])
  return JSON.stringify([
    one.slice(Math.max(0, at - 60), at + 20),
    other.slice(Math.max(0, at - 60), at + 20),
  ])
}
