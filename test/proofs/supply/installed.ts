import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { doesWithoutItsScript, type Locked, nameIn } from './locked.js'

/** npm runs these when it installs a package; `prepare` only of what it fetches from git. */
const hooks = ['preinstall', 'install', 'postinstall'] as const

export interface Installed {
  readonly path: string
  readonly manifest: {
    readonly name?: string
    readonly version?: string
    readonly scripts?: Readonly<Record<string, string>>
  }
  /** True where npm would build it with node-gyp, though no script says so. */
  readonly hasBindings: boolean
}

/** The packages of the lock file that are there; those of other platforms are not. */
export function installedPackages(root: string, locked: Locked): readonly Installed[] {
  return Object.keys(locked)
    .filter(path => path !== '' && existsSync(join(root, path, 'package.json')))
    .map(path => ({
      path,
      manifest: JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8')),
      hasBindings: existsSync(join(root, path, 'binding.gyp')),
    }))
}

/** What installed packages would run, whatever the lock file says of them; and which are not those of the lock file. */
export function installedComplaints(packages: readonly Installed[], locked: Locked): readonly string[] {
  return packages.flatMap(({ path, manifest, hasBindings }) => {
    const isKnown = doesWithoutItsScript(nameIn(path))
    const scripts = hooks.filter(hook => !isKnown && manifest.scripts?.[hook] !== undefined)
    return [
      ...scripts.map(hook => `${path} runs ${hook}`),
      ...(hasBindings && !isKnown ? [`${path} is built when it is installed`] : []),
      ...(manifest.version === lockedVersion(locked, path)
        ? []
        : [`${path} is not the version that is locked`]),
    ]
  })
}

/** A link is as good as what it leads to. */
function lockedVersion(locked: Locked, path: string): string | undefined {
  const { link, resolved = '', version } = locked[path] ?? {}
  return link === true ? locked[resolved]?.version : version
}
