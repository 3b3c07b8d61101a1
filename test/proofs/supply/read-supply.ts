import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { InOrder } from './controls.js'
import { floors } from './floors.js'
import { installedComplaints, installedPackages } from './installed.js'
import { floorComplaints, lockComplaints } from './locked.js'
import { nameOf, partComplaints, shapeComplaints } from './parts.js'
import { pinComplaints, workflowComplaints } from './workflow-rules.js'

/** What comes in and what is said of it, as it is checked in and built. */
export interface Supply extends InOrder {
  readonly workflows: Readonly<Record<string, string>>
  /** Complaints about each thing that is looked at, by what it is. */
  readonly complaints: Readonly<Record<string, readonly string[]>>
}

/** Reads and judges all but the package itself. */
export function readSupply(root: string): Supply {
  const read = (...path: readonly string[]) => readFileSync(join(root, ...path), 'utf8')
  const { packages: locked } = JSON.parse(read('package-lock.json'))
  const installed = installedPackages(root, locked)
  const parts = JSON.parse(read('dist', 'sbom.cdx.json'))
  const notices = read('dist', 'THIRD-PARTY-NOTICES.txt')
  const names = readdirSync(join(root, '.github', 'workflows')).map(name =>
    join('.github', 'workflows', name),
  )
  const workflows = Object.fromEntries(names.map(name => [name, read(name)]))
  const written = join('examples', 'ci', 'github.yml')
  const [, bundled = ''] =
    /In the bundles, each with its reason: ([\s\S]*?)\n\n/.exec(read('src', 'README.md')) ?? []
  const told = [...bundled.matchAll(/(?:^|;\s)`([@\w/-]+)`/g)].map(([, name = '']) => name)
  return {
    locked,
    installed,
    parts,
    notices,
    workflow: [...Object.entries(workflows)].find(([name]) => name.endsWith('ci.yml'))?.[1] ?? '',
    workflows,
    complaints: {
      'the lock file': [...lockComplaints(locked), ...floorComplaints(locked, floors)],
      'the installed packages': installedComplaints(installed, locked),
      'the list of parts': [...shapeComplaints(parts), ...partComplaints(parts, locked, notices)],
      'the map': listUnreported(parts, told),
      '.npmrc': /^ignore-scripts=true$/m.test(read('.npmrc')) ? [] : ['lets packages run scripts'],
      ...Object.fromEntries(
        Object.entries(workflows).map(([name, text]) => [name, workflowComplaints(text)]),
      ),
      // What it may is a matter of its own: it applies.
      [written]: pinComplaints(read(written)),
    },
  }
}

/** The map says of each package that we chose why it is in the bundles; what those bring along follows. */
function listUnreported(
  { metadata, components, dependencies }: InOrder['parts'],
  told: readonly string[],
): readonly string[] {
  const own = metadata.component['bom-ref']
  const chosen = dependencies.find(({ ref }) => ref === own)?.dependsOn ?? []
  const names = components.filter(part => chosen.includes(part['bom-ref'])).map(nameOf)
  return [
    ...names
      .filter(name => !told.includes(name))
      .map(name => `${name} is bundled, and the map does not say why`),
    ...told.filter(name => !names.includes(name)).map(name => `${name} is in the map, and in no bundle`),
  ]
}
