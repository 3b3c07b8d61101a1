import { execFileSync } from 'node:child_process'
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { root } from '../../support/manifests.js'
import { rowsOf } from '../../support/postgres-rows.js'
import { listTextsIn, listTextsInGit } from '../judge/state.js'
import type { Place } from './landform-process.js'
import type { ObjectServer } from './state-server.js'

const git = (folder: string, ...words: readonly string[]) =>
  execFileSync('git', words, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

/** Creates a place in a folder. Its state is beside the manifest, or in the git remote of its checkout. */
export async function placeIn(folder: string, kind: 'file' | 'git', url: string): Promise<Place> {
  const checkout = join(folder, 'checkout')
  if (kind === 'git') {
    await mkdir(folder, { recursive: true })
    git(folder, 'init', '--quiet', '--bare', 'remote.git')
    git(folder, 'clone', '--quiet', 'remote.git', 'checkout')
  }
  const file = await manifestIn(checkout, 'quickstart')
  if (kind === 'file') return { kind, file, url, texts: () => listTextsIn(join(checkout, '.landform')) }
  const texts = async () => listTextsInGit(join(folder, 'remote.git'))
  return { kind, file, url, location: 'git:origin', texts }
}

/** Creates a place in another checkout of the same repository. */
export async function otherCheckout(place: Place): Promise<Place> {
  const folder = join(place.file, '..', '..')
  git(folder, 'clone', '--quiet', 'remote.git', 'other')
  return { ...place, file: await manifestIn(join(folder, 'other'), 'quickstart') }
}

/** Creates a place with its state in the database of a connection string. */
export async function placeInDatabase(folder: string, connection: string, url: string): Promise<Place> {
  return {
    kind: 'postgres',
    // All places share one database, so each site needs its own name.
    file: await manifestIn(folder, basename(folder)),
    url,
    location: 'postgres:env:LANDFORM_DATABASE_URL',
    environment: { LANDFORM_DATABASE_URL: connection },
    async texts() {
      const sql = 'select body from landform.state where site = $1 order by serial'
      return (await rowsOf(connection, sql, [url])).map(({ body }) => (body as Buffer).toString('utf8'))
    },
  }
}

export async function placeOnServer(folder: string, server: ObjectServer, url: string): Promise<Place> {
  const { kind, location, environment } = server
  const file = await manifestIn(folder, basename(folder))
  return { kind, file, url, location, environment, texts: () => server.textsOf(url) }
}

async function manifestIn(folder: string, name: string): Promise<string> {
  await mkdir(folder, { recursive: true })
  const file = join(folder, 'site.yaml')
  const example = await readFile(join(root, 'examples', 'quickstart.yaml'), 'utf8')
  await writeFile(file, example.replace('name: quickstart', `name: ${name}`))
  await cp(join(root, 'examples', 'licenses'), join(folder, 'licenses'), { recursive: true })
  return file
}
