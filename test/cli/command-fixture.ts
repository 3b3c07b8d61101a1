import { generateKeyPairSync } from 'node:crypto'
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from '../../src/cli/run.js'
import type { NamedFiles } from '../support/command-lines.js'
import { fakeHost } from '../support/fake-host.js'
import { root, withoutState } from '../support/manifests.js'
import { someSecrets } from '../support/some-secrets.js'

/** Truncates every version in a folder of state. */
async function damageState(folder: string): Promise<void> {
  for (const file of await readdir(folder, { recursive: true }))
    if (file.endsWith('.json')) await writeFile(join(folder, file), '{"formatVersion":1')
}

/** Addresses: the site of the commands under test, one that never becomes ready, and the site of all examples. */
type Sites = Readonly<Record<'own' | 'slow' | 'strict', string>>

/** The input of the commands: files below the working folder. */
export interface CommandFixture {
  /** The manifests of `examples/`. */
  readonly manifests: readonly string[]
  /** Variables that they reference for secrets other than tokens. */
  readonly secrets: readonly string[]
  readonly files: NamedFiles
}

/** The folder for output of the commands. */
export const written = 'written'

/** Fills the working folder, which must be empty. */
export async function makeCommandFixture(sites: Sites): Promise<CommandFixture> {
  const others = /\/examples\/(?:ci|cluster|kubernetes|library|scenarios|tests)$/
  cpSync(join(root, 'examples'), 'examples', { recursive: true, filter: name => !others.test(name) })
  cpSync(join(root, 'examples/licenses'), 'licenses', { recursive: true })
  cpSync(join(root, 'test/invalid/policy'), 'policy', { recursive: true })
  // Makes the folder a repository, as a manifest may extend files in folders above it only within one.
  mkdirSync('examples/.git')
  mkdirSync(written)
  await makeManifests(sites)
  return makeExamples(sites.strict)
}

/** Writes the files for each outcome: manifests, a plan and state. */
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

/** Prepares the examples for one site, with a file for each option that takes one. */
async function makeExamples(site: string): Promise<CommandFixture> {
  const manifests = readdirSync('examples', { recursive: true, encoding: 'utf8' })
    .filter(name => /^[\w.-]+\.yaml$|\/site\.yaml$/.test(name))
    .map(name => `examples/${name}`)
  for (const file of [...manifests, 'examples/environments/base.yaml'])
    writeFileSync(file, withoutState(readFileSync(file, 'utf8')).replace(siteOfExamples, site))
  // The policy allows only the team's own sites.
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
 * Returns a function that lists the changes below the working folder since its last call: files and folders that are new, gone,
 * written or otherwise touched. It ignores the `written` folder.
 */
export function changesBelow(): () => readonly string[] {
  let known = traces()
  return () => {
    // A new file changes its folder, too.
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
