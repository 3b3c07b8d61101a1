// Looks at what comes in and at what goes out: lock file, installed packages, list of parts, workflows; and makes the packages in
// clean copies that have nothing in common but the sources. `npm run verify:supply [-- --builds N]`; no network.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { homedir, hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { builderIn, differences, surroundings, tarballsOf } from '../../dist/test/proofs/supply/builds.js'
import { controls, packageControls, unnoticed } from '../../dist/test/proofs/supply/controls.js'
import { fleetContent, packedComplaints, programContent } from '../../dist/test/proofs/supply/packed.js'
import { readSupply } from '../../dist/test/proofs/supply/read-supply.js'
import { tarEntries } from '../../dist/test/proofs/supply/tar-entries.js'
import { fileDigests } from '../../dist/test/support/file-digests.js'
import { complain, conclude, count, figures, say, scratchFolder } from './check.mjs'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const { builds } = figures({ builds: [1, 2] })

const supply = readSupply(root)
for (const [what, found] of Object.entries(supply.complaints)) complain(what, found)
count('packages', Object.keys(supply.locked).length - 1)
count('parts', supply.parts.components.length)
count('workflows', Object.keys(supply.workflows).length)
const { status } = spawnSync(process.execPath, [join(root, 'scripts', 'action.mjs'), '--check'])
complain('action/index.cjs', status === 0 ? [] : ['is not what src/action makes'])

const folder = scratchFolder()
const here = packedHere()
// All copies before the first build, so that nobody's edit comes between them.
const makers = surroundings.slice(0, builds).map((one, at) => builderIn(join(folder, `${at}`), root, one))
const made = makers.map(make => make())
for (const [at, { tarballs }] of [here, ...made].entries())
  for (const tarball of tarballs)
    say(
      `${at === 0 ? 'this folder' : `clean copy ${at}`}  sha256 ${createHash('sha256').update(tarball).digest('hex')}`,
    )
// A folder that is worked in may hold what earlier builds left, so that of it the package counts.
for (const one of made) complain('two builds', differences({ ...one, tarballs: here.tarballs }, one))
for (const one of made.slice(1)) complain('two builds', differences(made[0], one))
count('builds', made.length + 1)

const [entries, fleetEntries] = here.tarballs.map(tarEntries)
const marks = [root, folder, homedir(), hostname()].filter(isTelling)
complain('the package', packedComplaints(entries, marks, programContent))
complain('the package for fleets', packedComplaints(fleetEntries, marks, fleetContent))
count('files', entries.length + fleetEntries.length)
const spoilt = [...controls(supply), ...packageControls(entries, here)]
complain('a control', unnoticed(spoilt))
count('controls', spoilt.length)
conclude()

/** The package of this folder, of what `make-ready` built. */
function packedHere() {
  mkdirSync(join(folder, 'here'))
  const words = [join(root, 'scripts', 'pack.mjs'), join(folder, 'here')]
  const { stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' })
  if (stdout === '') throw new Error(`the package was not packed: ${stderr}`)
  return { tarballs: tarballsOf(stdout), digests: fileDigests(join(root, 'dist', 'bin')) }
}

/** A name such as `/root` or `box` stands for many things. */
function isTelling(mark) {
  return mark.length > 6
}
