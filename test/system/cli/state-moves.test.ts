import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stateServers } from '../../proofs/processes/state-server.js'
import { isAtLength } from '../../support/cases.js'
import { anEmulator } from '../../support/emulator.js'
import { writeExample } from '../../support/example-copy.js'
import { bareRepository, checkout, gitEnvironment, hasGit } from '../../support/git-repositories.js'
import { landform } from '../../support/landform.js'
import { postgres, postgresIsHere, postgresPackages } from '../../support/postgres.js'
import { someSecrets } from '../../support/some-secrets.js'
import { describeWhere } from '../../support/test-where.js'

/** Creates a clone with a manifest, and a state location of each kind. */
async function startPlaces() {
  const folder = await checkout(await bareRepository())
  const [bucket, container, cluster] = [
    await stateServers.s3(folder),
    await stateServers.azblob(folder),
    await stateServers.kubernetes(folder),
  ]
  const database = await postgres()
  const environment = {
    ...gitEnvironment,
    ...someSecrets,
    ...bucket.environment,
    ...container.environment,
    ...cluster.environment,
    LANDFORM_DATABASE_URL: await database.freshDatabase(),
  }
  const places = {
    file: `file:${join(folder, 'kept')}`,
    git: 'git:origin',
    s3: bucket.location,
    azblob: container.location,
    kubernetes: cluster.location,
    postgres: 'postgres:env:LANDFORM_DATABASE_URL',
  }
  const file = join(folder, 'site.yaml')
  return { places, folder, file, run: (...words: readonly string[]) => landform(words, { environment }) }
}

type Kind = keyof Awaited<ReturnType<typeof startPlaces>>['places']
const kinds: readonly Kind[] = ['file', 'git', 's3', 'azblob', 'kubernetes', 'postgres']
/** With `PROPERTY_FACTOR` every pair; otherwise from each kind to the next, so each is the source and the target once. */
const moves = kinds.flatMap((from, at) =>
  kinds
    .filter(to => (isAtLength ? to !== from : to === kinds[(at + 1) % kinds.length]))
    .map(to => [from, to] as const),
)

describeWhere(hasGit && postgresIsHere, `git, ${postgresPackages}`)('state', () => {
  let started: Awaited<ReturnType<typeof startPlaces>>
  beforeAll(async () => {
    started = await startPlaces()
  })

  test.each(moves)('moves from %s to %s, and leaves a pointer that runs follow', async (from, to) => {
    const { places, folder, file, run } = started
    const site = await anEmulator({ stageMs: 0 })
    const declare = (kind: Kind) => {
      writeExample(folder, { url: site.url, state: places[kind] })
      const text = readFileSync(file, 'utf8')
      writeFileSync(file, text.replace('name: quickstart', `name: ${from}-to-${to}`))
    }
    declare(from)
    expect(await run('apply', file, '--yes')).toMatchObject({ exitCode: 0 })
    const before = await run('state', 'show', file, '--format', 'json')
    expect(await run('state', 'move', places[from], places[to], file)).toMatchObject({ exitCode: 0 })
    const followed = await run('state', 'show', file, '--format', 'json')
    const { record } = JSON.parse(followed.out) as { readonly record: object }
    expect(record).toEqual((JSON.parse(before.out) as { readonly record: object }).record)
    expect(await run('apply', file, '--yes')).toMatchObject({ exitCode: 0 })
    declare(to)
    const shown = await run('state', 'show', file)
    expect(shown).toMatchObject({ exitCode: 0 })
    expect(shown.out).toContain(`kept in    ${places[to].replace(/^file:|env:.*/g, '')}`)
    expect(await run('apply', file, '--yes')).toMatchObject({ exitCode: 0 })
    expect(site.world().counters.configure.received).toBe(1)
  })
})
