import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { pathOfRecording, type Recording, readRecording } from '../support/answers/recorded.js'
import { type CheckRun, declareCheck } from './check.js'
import { type Backend, killAtPoints, type PartRun, raceForSites, spread } from './processes/parts.js'
import { azurite } from './real/real-azurite.js'
import { type RealBackend, type RealServer, rows } from './real/real-backend.js'
import { ceph } from './real/real-ceph.js'
import { gitDaemon } from './real/real-git.js'
import { kubernetes } from './real/real-kubernetes.js'
import { postgreSql } from './real/real-postgres.js'

const servers: readonly RealServer[] = [kubernetes, ceph, azurite, postgreSql, gitDaemon]

/** `--only` selects one server by its file in `test/recorded/`, and `--record` rewrites those files. */
const figures = {
  races: [1, 5],
  kills: [2, 12],
  record: [false, false],
  only: ['', ''],
} as const

/**
 * Runs the state backends with the real servers that are installed. Compares their responses with the recordings that the
 * doubles of the tests use. Eight processes apply one site at once, runs are killed, and each server is made to give each
 * rejection that it has.
 */
export const check = declareCheck({
  name: 'real-servers',
  shows:
    'Real servers answer like the doubles of the tests. With them, too, only one of eight processes configures a site, the next run completes the site of a killed one, and each rejection is named.',
  counts: {
    servers: [1, 5],
    'races for sites': [1, 25],
    'kills at points': [2, 60],
    situations: [5, 48],
    'answers as recorded': [5, 66],
  },
  short: 'release',
  figures,
  async run(run) {
    const folder = run.scratchFolder()
    const [only] = run.figures.only.split(' ')
    for (const server of servers) {
      const { recording, packages } = server
      if (only !== '' && only !== recording) continue
      if (!(await server.isHere())) {
        run.skip(`no real server for ${recording}: install ${packages}`, ...Object.keys(check.counts))
        continue
      }
      const real = await server.start(join(folder, recording))
      run.count('servers')
      try {
        await verify({ run, real, recording, folder: join(folder, `${recording}-places`) })
      } finally {
        await real.stop()
      }
    }
  },
})

interface Fixture {
  readonly run: CheckRun<typeof figures> & PartRun
  readonly real: RealBackend
  readonly recording: string
  readonly folder: string
}

const contenders = 8

async function verify(fixture: Fixture): Promise<void> {
  await compareAnswers(fixture)
  await meetSituations(fixture)
  await raceAndKill(fixture)
}

/** Compares each response with the recorded one, or records it. */
async function compareAnswers({ run, real, recording }: Fixture): Promise<void> {
  const answers: Record<string, Recording['answers'][string]> = {}
  for await (const [name, answer] of real.answers()) answers[name] = answer
  const { server, version, without } = real
  if (run.figures.record) {
    const recorded = new Date().toISOString().slice(0, 10)
    const content: Recording = { server, version, recorded, without, answers }
    writeFileSync(pathOfRecording(recording), `${JSON.stringify(content, undefined, 2)}\n`)
  }
  const kept = readRecording(recording)
  for (const [name, answer] of Object.entries(answers)) {
    // Other versions word their messages differently.
    const isSame =
      kept.version === version
        ? isDeepStrictEqual(kept.answers[name], answer)
        : kept.answers[name]?.status === answer.status
    if (isSame) run.count('answers as recorded')
    else run.violation(`${server} ${version} does not answer as recorded: ${name}: ${JSON.stringify(answer)}`)
  }
  run.say(`${server} ${version}: ${Object.keys(answers).length} answers, recorded with ${kept.version}`)
  run.tabulate('answers as recorded', titleOf(real), `${Object.keys(answers).length}`)
}

async function meetSituations({ run, real }: Fixture): Promise<void> {
  const met = new Map<string, string[]>()
  for (const { row, expected, come } of real.situations) {
    const came = await come()
    run.count('situations')
    if (came !== expected) run.violation(`${real.server}, ${row}: ${came} instead of ${expected}`)
    met.set(row, [...(met.get(row) ?? []), came])
  }
  for (const row of rows) {
    const outcomes = met.get(row)
    const why = real.without[row]
    const cell = outcomes === undefined ? `none: ${why}` : `${outcomes.length}: ${shorten(outcomes)}`
    run.tabulate(row, titleOf(real), cell)
  }
  run.say(`${real.server} ${real.version}: ${real.situations.length} situations`)
}

/** Lists each outcome once, a rejection by its cause. */
function shorten(outcomes: readonly string[]): string {
  const causes = outcomes.map(
    outcome => /^(?:unreadable|unwritable|damaged|foreign): (.*)$/.exec(outcome)?.[1],
  )
  return [...new Set(causes.map(cause => cause ?? 'as expected'))].join(', ')
}

async function raceAndKill({ run, real, recording: only, folder }: Fixture): Promise<void> {
  const { races, kills } = run.figures
  const title = titleOf(real)
  const backend: Backend = {
    title,
    contenders,
    place: (name, url) => real.place(join(folder, name), url),
  }
  const raced = await raceForSites(run, backend, { races, only })
  run.tabulate('8 processes apply one site', title, cellOf(races, raced))
  const choose = (points: readonly string[]) => spread(points, kills)
  const killed = await killAtPoints(run, backend, { atOnce: 2, seconds: 5, only, choose })
  run.tabulate('kill -9, and the next run goes on', title, cellOf(kills, killed))
}

function titleOf({ server, version }: RealBackend): string {
  return `${server} ${version}`
}

function cellOf(times: number, violations: number): string {
  return `${times}, ${violations} violations`
}
