import { generateKeyPairSync } from 'node:crypto'
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from '../../src/cli/run.js'
import type { NamedFiles } from './command-lines.js'
import { fakeHost } from './fake-host.js'
import { root, withoutState } from './manifests.js'
import { someSecrets } from './some-secrets.js'

/** Cuts every version of every site in a folder of state short. */
async function damageState(folder: string): Promise<void> {
  for (const file of await readdir(folder, { recursive: true }))
    if (file.endsWith('.json')) await writeFile(join(folder, file), '{"formatVersion":1')
}

/** Addresses: that of the site to end in every way, of one that never gets ready, and of that of all examples. */
type Sites = Readonly<Record<'own' | 'slow' | 'strict', string>>

/** What the commands are run on: files below the working folder, made once. */
export interface CommandFixture {
  /** The examples. */
  readonly manifests: readonly string[]
  /** Variables that they name for secrets, but for those of tokens. */
  readonly secrets: readonly string[]
  readonly files: NamedFiles
}

/** A folder for what a command is asked to write. */
export const written = 'written'

/** Fills the working folder, which is empty. */
export async function makeCommandFixture(sites: Sites): Promise<CommandFixture> {
  const others = /\/examples\/(?:ci|cluster|kubernetes|library|scenarios|tests)$/
  cpSync(join(root, 'examples'), 'examples', { recursive: true, filter: name => !others.test(name) })
  cpSync(join(root, 'examples/licenses'), 'licenses', { recursive: true })
  cpSync(join(root, 'test/invalid/policy'), 'policy', { recursive: true })
  // A repository, so that a manifest may build on what lies above it.
  mkdirSync('examples/.git')
  mkdirSync(written)
  await makeManifests(sites)
  return makeExamples(sites.strict)
}

/** A manifest, a plan and a record for each way to end. */
async function makeManifests({ own, slow }: Sites): Promise<void> {
  const text = readFileSync('examples/quickstart.yaml', 'utf8').replace(siteOfExamples, own)
  const change = (name: string, from: string, to: string) =>
    writeFileSync(`${name}.yaml`, text.replace(from, to))
  change('valid', '', '')
  change('warned', 'creatorUT', 'someUT')
  change('invalid', 'profile: development', 'profile: developmemt')
  change('blocked', 'profile: development', 'profile: standard-availability')
  change('unlicensed', 'licenses/site.json', 'licenses/nowhere.json')
  const tests = {
    valid: 'expect: { diagnostics: [] }',
    warned: 'site: { faults: [exportSite=drop-after] }, expect: { exitCode: 0 }',
    invalid: 'expects: {}',
    differs: 'expect: { exitCode: 3 }',
  }
  for (const [name, expected] of Object.entries(tests))
    writeFileSync(
      `${name}.test.yaml`,
      `apiVersion: landform.dev/v1\nkind: SiteTest\nmanifest: valid.yaml\ntests:\n  - { name: one, ${expected} }\n`,
    )
  cpSync('licenses', 'several/licenses', { recursive: true })
  change('several/one', '', '')
  change('several/two', own, 'https://gis-two.example.org/arcgis/admin')
  writeFileSync('declaring.yaml', text.replace('\nspec:\n', '\nspec:\n  state: git:origin\n'))
  await prepare('apply valid.yaml --yes')
  await prepare('plan valid.yaml --out plan.json')
  await prepare(`apply valid.yaml --url ${slow} --yes --detach`, 3)
  writeFileSync('altered.json', readFileSync('plan.json', 'utf8').replace('"name":"', '"name":"x'))
  writeFileSync('damaged.json', '{"formatVersion":1')
  cpSync('.landform', 'moved', { recursive: true })
  cpSync('.landform', 'bad-state', { recursive: true })
  await damageState('bad-state')
}

/** The examples for one site, with all that an option may name. */
async function makeExamples(site: string): Promise<CommandFixture> {
  const manifests = readdirSync('examples', { recursive: true, encoding: 'utf8' })
    .filter(name => /^[\w.-]+\.yaml$|\/site\.yaml$/.test(name))
    .map(name => `examples/${name}`)
  for (const file of [...manifests, 'examples/environments/base.yaml'])
    writeFileSync(file, withoutState(readFileSync(file, 'utf8')).replace(siteOfExamples, site))
  // The rules of the team allow their own sites only.
  const policy = 'examples/environments/landform.policy.yaml'
  const { origin } = new URL(site)
  writeFileSync(policy, readFileSync(policy, 'utf8').replace('https://gis.example.org', origin))
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const list = (kind: string, more: object) =>
    JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [{ kind, metadata: { name: 'gp3' }, ...more }] })
  writeFileSync('key.pem', privateKey.export({ type: 'pkcs8', format: 'pem' }))
  writeFileSync('key.pub', publicKey.export({ type: 'spki', format: 'pem' }))
  writeFileSync('classes.json', list('StorageClass', { provisioner: 'ebs.csi.aws.com' }))
  const files = {
    manifest: 'examples/environments/production/site.yaml',
    url: site,
    plan: 'signed.json',
    written,
    signKey: 'key.pem',
    publicKey: 'key.pub',
    policy,
    storageClasses: 'classes.json',
  }
  await prepare(`plan ${files.manifest} --out ${files.plan} --sign-key file:${files.signKey}`)
  return { manifests, files, secrets: secretsIn([...manifests, 'examples/environments/base.yaml']) }
}

const siteOfExamples = /https:\/\/gis[^ ]*\/admin\b/

async function prepare(line: string, code = 0): Promise<void> {
  const host = fakeHost({ environment: someSecrets })
  if ((await run(line.split(' '), host)) !== code) throw new Error(host.err())
}

function secretsIn(files: readonly string[]): readonly string[] {
  const named = files.flatMap(file => [...readFileSync(file, 'utf8').matchAll(/(token: )?\{ env: (\w+) \}/g)])
  return named.filter(([, token]) => token === undefined).map(([, , variable]) => variable ?? '')
}

/**
 * Tells what changed below the working folder since the last time, but for what was asked for: files and folders that are
 * new, gone, written or otherwise touched.
 */
export function changesBelow(): () => readonly string[] {
  let known = traces()
  return () => {
    // A new name touches its folder.
    if ([...known].every(([name, trace]) => traceOf(name) === trace)) return []
    const before = known
    known = traces()
    const names = new Set([...before.keys(), ...known.keys()])
    return [...names].filter(name => before.get(name) !== known.get(name))
  }
}

function traces(): ReadonlyMap<string, string> {
  const names = readdirSync('.', { recursive: true, encoding: 'utf8' })
  const others = names.filter(name => !name.startsWith(written))
  return new Map(['.', ...others].map(name => [name, traceOf(name)]))
}

function traceOf(name: string): string {
  const stats = statSync(name, { throwIfNoEntry: false })
  return `${stats?.ctimeMs} ${stats?.size} ${stats?.ino}`
}
