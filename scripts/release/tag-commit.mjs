// The commit of a release: the sources and the files that npm publishes, so that the GitHub action, hooks of pre-commit, `npm
// install` from the repository and image builds can use it directly. Its parent is the commit that it was built from.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { manifestText, publicManifest } from '../delivery/stage.mjs'
import { git } from './git.mjs'

/**
 * Creates the commit, and calls `look` with a folder that contains its files. The working tree, the branches and the index stay
 * unchanged, and no ref leads to the commit yet.
 */
export function tagCommit(root, look) {
  const manifest = publicManifest(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')))
  const folder = mkdtempSync(join(tmpdir(), 'landform-release-'))
  const within = { index: join(folder, 'index') }
  try {
    git(root, ['read-tree', 'HEAD'], within)
    const built = manifest.files.filter(file => file.startsWith('dist/'))
    git(root, ['add', '--force', '--', ...built, 'packages/fleet/dist'], within)
    const blob = git(root, ['hash-object', '-w', '--stdin'], { input: manifestText(manifest) })
    git(root, ['update-index', '--cacheinfo', `100644,${blob},package.json`], within)
    // It locks packages that users of the tag do not install.
    git(root, ['update-index', '--force-remove', 'package-lock.json'], within)
    const tree = git(root, ['write-tree'], within)
    const message = `Release ${manifest.version}\n\nThe sources of its parent, with what is built from them.\n`
    const commit = git(root, ['commit-tree', tree, '-p', 'HEAD'], { input: message })
    const files = join(folder, 'files/')
    mkdirSync(files)
    git(root, ['checkout-index', '--all', `--prefix=${files}`], within)
    look(files)
    return commit
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
