import { execFileSync } from 'node:child_process'
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { manifestOf, root } from '../../support/manifests.js'
import { rowsOf } from '../../support/postgres-rows.js'
import { journalOf, readChain } from '../chain.js'
import type { Truth } from '../oracle.js'
import type { Place } from './landform-process.js'
import type { Counted } from './real-site.js'
import type { ObjectServer } from './state-server.js'

const git = (folder: string, ...words: readonly string[]) =>
  execFileSync('git', words, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

/** A folder with a manifest, whose state is kept beside it or in the repository that it is a checkout of. */
export async function placeIn(folder: string, kind: 'file' | 'git', url: string): Promise<Place> {
  const checkout = join(folder, 'checkout')
  if (kind === 'git') {
    await mkdir(folder, { recursive: true })
    git(folder, 'init', '--quiet', '--bare', 'remote.git')
    git(folder, 'clone', '--quiet', 'remote.git', 'checkout')
  }
  await mkdir(checkout, { recursive: true })
  return { kind, file: await manifestIn(checkout), url }
}

/** The same with its state in a database. */
export async function placeInDatabase(folder: string, connection: string, url: string): Promise<Place> {
  await mkdir(folder, { recursive: true })
  // All places are in one database, where each site has a name of its own.
  return { kind: 'postgres', file: await manifestIn(folder, basename(folder)), url, connection }
}

/** The same with its state on a server. */
export async function placeOnServer(folder: string, server: ObjectServer, url: string): Promise<Place> {
  await mkdir(folder, { recursive: true })
  return { kind: server.kind, file: await manifestIn(folder, basename(folder)), url, server }
}

/** The same site from another checkout of the same repository. */
export async function otherCheckout({ file, url }: Place): Promise<Place> {
  const folder = join(file, '..', '..')
  git(folder, 'clone', '--quiet', 'remote.git', 'other')
  return { kind: 'git', file: await manifestIn(join(folder, 'other')), url }
}

async function manifestIn(folder: string, name = 'quickstart'): Promise<string> {
  const file = join(folder, 'site.yaml')
  const example = await readFile(join(root, 'examples', 'quickstart.yaml'), 'utf8')
  await writeFile(file, example.replace('name: quickstart', `name: ${name}`))
  await cp(join(root, 'examples', 'licenses'), join(folder, 'licenses'), { recursive: true })
  return file
}

/** What is so, by the counters of the emulator and the versions that lie there. */
export async function truthAt(place: Place, counted: Counted): Promise<Truth> {
  const { versions, broken } = readChain(await textsAt(place))
  const desired = manifestOf(place.file, await readFile(place.file))
  const record = versions.at(-1)?.record
  const isAsDesired =
    record?.organization?.manifest === desired.digest &&
    isDeepStrictEqual(record.policy?.value, desired.policy) &&
    counted.updates > 0
  const { received, accepted, state } = counted
  return {
    received,
    accepted,
    site: state,
    journal: journalOf(versions),
    isAsDesired,
    ...(broken !== undefined && { broken }),
  }
}

async function textsAt({ kind, file, url, connection = '', server }: Place): Promise<readonly string[]> {
  if (server !== undefined) return await server.textsOf(url)
  const folder = join(file, '..')
  if (kind === 'file') return textsIn(folder)
  if (kind === 'git') return textsOf(join(folder, '..'))
  const rows = await rowsOf(connection, 'select body from landform.state where site = $1 order by serial', [
    url,
  ])
  return rows.map(({ body }) => (body as Buffer).toString('utf8'))
}

async function textsIn(folder: string): Promise<readonly string[]> {
  const home = join(folder, '.landform')
  const names = await readdir(home, { recursive: true }).catch(() => [])
  const versions = names.filter(name => /\/\d{6}\.json$/.test(name)).sort()
  return Promise.all(versions.map(name => readFile(join(home, name), 'utf8')))
}

function textsOf(folder: string): readonly string[] {
  const bare = join(folder, 'remote.git')
  const refs = git(bare, 'for-each-ref', '--format=%(refname)', 'refs/landform/127.0.0.1*').trim()
  if (refs === '') return []
  const commits = git(bare, 'rev-list', '--reverse', refs).trim().split('\n')
  return commits.map(commit => {
    const name = git(bare, 'ls-tree', '-r', '--name-only', commit).trim()
    return git(bare, 'show', `${commit}:${name}`)
  })
}
