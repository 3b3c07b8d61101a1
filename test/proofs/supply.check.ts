import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { homedir, hostname } from 'node:os'
import { join } from 'node:path'
import { fileDigests } from '../support/file-digests.js'
import { root } from '../support/manifests.js'
import { type CheckRun, declareCheck } from './check.js'
import { type Built, builderIn, differences, surroundings, tarballsOf } from './supply/builds.js'
import { controls, packageControls, unnoticed } from './supply/controls.js'
import { fleetContent, packedComplaints, programContent } from './supply/packed.js'
import { readSupply, type Supply } from './supply/read-supply.js'
import { type TarEntry, tarEntries } from './supply/tar-entries.js'

/**
 * Judges what comes in and what goes out: lock file, installed packages, list of parts and workflows; and makes the packages
 * in clean copies that have nothing in common but the sources. It needs no network.
 */
export const check = declareCheck({
  name: 'supply',
  shows:
    'Dependencies are locked, patched and run no scripts; the packages are reproducible from any folder and match their description.',
  counts: {
    packages: [500, 500],
    parts: [10, 10],
    workflows: [2, 2],
    files: [100, 100],
    builds: [2, 3],
    controls: [40, 40],
  },
  planted: 'controls',
  short: 'ci',
  gate: 'change',
  /** In how many clean copies the packages are made. */
  figures: { builds: [1, 2] },
  async run(run) {
    const supply = readSupply(root)
    checkInputs(run, supply)
    const folder = run.scratchFolder()
    const here = packHere(join(folder, 'here'))
    buildCopies(run, { folder, here, copies: run.figures.builds })
    const entries = checkPackages(run, here, [root, folder, homedir(), hostname()].filter(isMeaningful))
    const spoilt = [...controls(supply), ...packageControls(entries, here)]
    run.complain('a control', unnoticed(spoilt))
    run.count('controls', spoilt.length)
  },
})

function checkInputs(run: CheckRun, supply: Supply): void {
  for (const [what, found] of Object.entries(supply.complaints)) run.complain(what, found)
  run.count('packages', Object.keys(supply.locked).length - 1)
  run.count('parts', supply.parts.components.length)
  run.count('workflows', Object.keys(supply.workflows).length)
  const { status } = spawnSync(process.execPath, [join(root, 'scripts', 'action.mjs'), '--check'])
  if (status !== 0) run.violation('action/index.cjs: is not what src/github-action makes')
}

/** Packs what `make-ready` built in this folder. */
function packHere(place: string): Built {
  mkdirSync(place)
  const words = [join(root, 'scripts', 'pack.mjs'), place]
  const { stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' })
  if (stdout === '') throw new Error(`the package was not packed: ${stderr}`)
  return { tarballs: tarballsOf(stdout), digests: fileDigests(join(root, 'dist', 'bin')) }
}

interface Copies {
  readonly folder: string
  readonly here: Built
  readonly copies: number
}

/** Builds in clean copies, and compares what comes of it with this folder and among them. */
function buildCopies(run: CheckRun, { folder, here, copies }: Copies): void {
  // All copies before the first build, so that nobody's edit comes between them.
  const makers = surroundings.slice(0, copies).map((one, at) => builderIn(join(folder, `${at}`), root, one))
  const made = makers.map(make => make())
  for (const [at, { tarballs }] of [here, ...made].entries())
    for (const tarball of tarballs)
      run.say(
        `${at === 0 ? 'this folder' : `clean copy ${at}`}  sha256 ${createHash('sha256').update(tarball).digest('hex')}`,
      )
  // A folder that is worked in may hold what earlier builds left, so that of it the package counts.
  for (const one of made) run.complain('two builds', differences({ ...one, tarballs: here.tarballs }, one))
  const [first, ...others] = made
  if (first !== undefined) for (const one of others) run.complain('two builds', differences(first, one))
  run.count('builds', made.length + 1)
}

/** Judges both packages of this folder, and gives the files of the program. */
function checkPackages(run: CheckRun, { tarballs }: Built, marks: readonly string[]): readonly TarEntry[] {
  const [entries, fleetEntries] = tarballs.map(tarEntries)
  if (entries === undefined || fleetEntries === undefined) throw new Error('two packages were to be packed')
  run.complain('the package', packedComplaints(entries, marks, programContent))
  run.complain('the package for fleets', packedComplaints(fleetEntries, marks, fleetContent))
  run.count('files', entries.length + fleetEntries.length)
  return entries
}

/** A name such as `/root` or `box` stands for many things. */
function isMeaningful(mark: string): boolean {
  return mark.length > 6
}
