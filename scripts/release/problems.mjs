// Finds problems before a release, because a release cannot be undone.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { git } from './git.mjs'

/** Lists the problems; a release may begin if there are none. */
export function problems(root) {
  const read = file => (existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : '')
  const { version, repository } = JSON.parse(read('package.json'))
  const found = []
  const changed = git(root, ['status', '--porcelain'])
  if (changed !== '') found.push(`these files are not committed:\n${changed}`)
  const heading = new RegExp(`^## ${version.replaceAll('.', '\\.')} - \\d{4}-\\d{2}-\\d{2}$`, 'm')
  if (!heading.test(read('CHANGELOG.md')))
    found.push(`CHANGELOG.md has no heading "## ${version} - YYYY-MM-DD"`)
  if (git(root, ['tag', '--list', `v${version}`]) !== '') found.push(`the tag v${version} is there already`)
  const fleet = JSON.parse(read('packages/fleet/package.json'))
  if (fleet.version !== version || fleet.peerDependencies.landform !== version)
    found.push(`packages/fleet/package.json is not of version ${version}, or does not go with it`)
  if ([repository, fleet.repository].some(({ url }) => url.includes('/OWNER/')))
    found.push(
      'OWNER in each package.json is to be replaced by who owns the repository: npm compares the two',
    )
  return found
}
