import { type Built, differences } from './builds.js'
import { floors } from './floors.js'
import { type Installed, installedComplaints } from './installed.js'
import { floorComplaints, type Locked, type LockedPackage, lockComplaints } from './locked.js'
import { packedComplaints } from './packed.js'
import { type Parts, partComplaints, shapeComplaints } from './parts.js'
import type { TarEntry } from './tar-entries.js'
import { workflowComplaints } from './workflow-rules.js'

/** What is in order as it is, and is spoilt here in one place at a time. */
export interface InOrder {
  readonly locked: Locked
  readonly installed: readonly Installed[]
  readonly parts: Parts
  readonly notices: string
  readonly workflow: string
}

/** Something that is wrong on purpose, and what the look at it says; that it says nothing is a mistake of the look. */
export type Control = readonly [what: string, complaints: () => readonly string[]]

/** What is spoilt in what is checked in and built. */
export function controls({ locked, installed, parts, notices, workflow }: InOrder): readonly Control[] {
  const path = 'node_modules/undici'
  const lock = (change: LockedPackage) => () =>
    lockComplaints({ ...locked, [path]: { ...locked[path], ...change } })
  const below = (name: string, version: string) => () =>
    floorComplaints({ [`node_modules/other/node_modules/${name}`]: { version } }, floors)
  const package_ = (change: Partial<Installed>) => () =>
    installedComplaints([{ ...(installed[0] as Installed), ...change }], locked)
  const [first, ...rest] = parts.components
  if (first === undefined) throw new Error('there is no part')
  const listed = (change: object) => () =>
    partComplaints({ ...parts, components: [{ ...first, ...change }, ...rest] }, locked, notices)
  const edited = (from: string | RegExp, to: string) => () => workflowComplaints(workflow.replace(from, to))
  return [
    ['a package without a digest', lock({ integrity: '' })],
    ['a digest that is weak', lock({ integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=' })],
    ['a package from an address', lock({ resolved: 'https://registry.example/undici.tgz' })],
    ['a package that is a link', lock({ link: true })],
    ['a package from git', lock({ dependencies: { a: 'git+https://git.example/a.git' } })],
    ['a package from a folder', lock({ dependencies: { a: 'file:../a' } })],
    ['a package from GitHub', lock({ dependencies: { a: 'someone/a' } })],
    ['an alias that leads to an address', lock({ dependencies: { a: 'npm:b@https://b.example/b.tgz' } })],
    ['an install script that is locked', lock({ hasInstallScript: true })],
    ['a package that is needed at run time', () => lockComplaints({ '': { dependencies: { a: '1.0.0' } } })],
    ['a version below its floor', below('undici', '7.28.9')],
    ['a version before the release of its floor', below('yaml', '2.8.3-rc.1')],
    ['a major version that was never mended', below('fast-uri', '2.4.0')],
    ['an install script that is installed', package_({ manifest: { scripts: { postinstall: 'node x' } } })],
    ['a package that is built when it is installed', package_({ hasBindings: true })],
    ['a package in another version', package_({ manifest: { version: '0.0.0' } })],
    ['a part of another version', listed({ version: '0.0.1' })],
    ['a part of another digest', listed({ hashes: [{ alg: 'SHA-512', content: '00'.repeat(64) }] })],
    ['a part of another license', listed({ licenses: [{ license: { id: 'WTFPL' } }] })],
    ['a part that is not in the graph', () => shapeComplaints({ ...parts, components: rest })],
    ['a license that is not handed on', () => partComplaints(parts, locked, notices.slice(0, 2000))],
    ['a license of no part', () => partComplaints({ ...parts, components: rest }, locked, notices)],
    ['an action by a tag', edited(/@[0-9a-f]{40} # v[\d.]+/, '@v4')],
    ['a workflow that says nothing of its rights', edited(/^permissions:\n {2}contents: read\n/m, '')],
    [
      'a workflow with all rights',
      edited(/^permissions:\n {2}contents: read\n/m, 'permissions: write-all\n'),
    ],
    ['a job that may write', edited(/^ {2}check:\n/m, '  check:\n    permissions: { contents: write }\n')],
    ['a workflow of another branch with our rights', edited('pull_request:', 'pull_request_target:')],
    ['a checkout that keeps its token', edited(/persist-credentials: false/, 'fetch-depth: 1')],
    ['an installation that runs scripts', edited('npm ci --ignore-scripts', 'npm ci')],
  ]
}

/** What is spoilt in a package, and in one of two builds. */
export function packageControls(entries: readonly TarEntry[], built: Built): readonly Control[] {
  const [first, ...rest] = entries
  if (first === undefined) throw new Error('the package is empty')
  const spoilt = (change: Partial<TarEntry>) => () =>
    packedComplaints([{ ...first, ...change }, ...rest], ['/home/me'])
  const key = '-----BEGIN PRIVATE KEY-----\nMIGHAgEAMBMGByqGSM49AgEG'
  const [packed = Buffer.alloc(0)] = built.tarballs
  const tarball = Buffer.from(packed)
  tarball[100] = (tarball[100] ?? 0) ^ 1
  const [name = ''] = Object.keys(built.digests)
  return [
    ['a test in the package', spoilt({ path: 'package/test/site.yaml' })],
    ['a path that leaves the package', spoilt({ path: 'package/../evil.json' })],
    ['a file twice', () => packedComplaints([...entries, first], [])],
    [
      'a package without its program',
      () =>
        packedComplaints(
          entries.filter(({ mode }) => mode !== 0o755),
          [],
        ),
    ],
    ['a file that only its owner reads', spoilt({ mode: 0o600 })],
    ['a link', spoilt({ type: '2' })],
    ['the time of a machine', spoilt({ mtime: 1_700_000_000 })],
    ['the user of a machine', spoilt({ uid: 1000 })],
    ['a folder of a machine', spoilt({ body: Buffer.from('at /home/me/landform/x.js') })],
    ['a key', spoilt({ body: Buffer.from(key) })],
    ['a token', spoilt({ body: Buffer.from(`npm_${'a1B2'.repeat(9)}`) })],
    [
      'a tarball with another bit',
      () => differences({ ...built, tarballs: [packed] }, { ...built, tarballs: [tarball] }),
    ],
    ['a tarball that only one build has', () => differences(built, { ...built, tarballs: [] })],
    [
      'a file of other content',
      () => differences(built, { ...built, digests: { ...built.digests, [name]: '' } }),
    ],
    [
      'a file that only one build has',
      () => differences(built, { ...built, digests: { ...built.digests, more: '' } }),
    ],
  ]
}

/** The controls that nobody noticed. */
export function unnoticed(controls: readonly Control[]): readonly string[] {
  return controls
    .filter(([, complaints]) => complaints().length === 0)
    .map(([what]) => `${what} is not noticed`)
}
