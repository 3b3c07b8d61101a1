import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { identifyManifest } from '../../src/library/manifest-identity.js'
import { removeTemporaryFolders, temporaryFolder } from '../support/temporary-folder.js'

afterEach(removeTemporaryFolders)

/** A folder with the git configuration of a repository. */
async function aClone(config: string): Promise<string> {
  const folder = await temporaryFolder()
  mkdirSync(join(folder, '.git'))
  writeFileSync(join(folder, '.git/config'), config)
  return folder
}

const remote = (url: string, name = 'origin') =>
  `[core]\n\tbare = false\n[remote "${name}"]\n\turl = ${url}\n`

test.each([
  'https://git.example.org/gis/sites.git',
  'https://token:secret@GIT.example.org/gis/sites',
  'https://git.example.org:8443/gis/sites/?private_token=secret',
  'ssh://git@git.example.org:2222/gis/sites.git',
  'git@git.example.org:gis/sites.git',
  'git.example.org:gis/sites',
])('a manifest is the same in a clone of %s', async url => {
  const folder = await aClone(remote(url))
  expect(identifyManifest(join(folder, 'prod/site.yaml'))).toBe('git.example.org/gis/sites:prod/site.yaml')
})

test('the remote `origin` takes precedence, and another one is used without it', async () => {
  const other = remote('https://git.example.org/gis/fork', 'fork')
  const both = await aClone(`${other}${remote('https://git.example.org/gis/sites')}`)
  expect(identifyManifest(join(both, 'site.yaml'))).toBe('git.example.org/gis/sites:site.yaml')
  expect(identifyManifest(join(await aClone(other), 'site.yaml'))).toBe('git.example.org/gis/fork:site.yaml')
})

test('a manifest in a work tree belongs to its repository', async () => {
  const folder = await aClone(remote('/srv/git/sites.git'))
  const own = join(folder, '.git/worktrees/next')
  mkdirSync(own, { recursive: true })
  writeFileSync(join(own, 'commondir'), '../..\n')
  const tree = await temporaryFolder()
  writeFileSync(join(tree, '.git'), `gitdir: ${own}\n`)
  expect(identifyManifest(join(tree, 'site.yaml'))).toBe('/srv/git/sites:site.yaml')
})

test('a manifest outside a repository, or in one without a remote, is identified by its path', async () => {
  for (const folder of [await temporaryFolder(), await aClone('[core]\n\tbare = false\n')]) {
    const file = join(folder, 'site.yaml')
    expect(identifyManifest(file)).toBe(file)
  }
})
