import { hasGit } from '../support/git-repositories.js'
import { type CheckRun, declareCheck } from './check.js'
import { reached } from './resume/reached.js'
import { forReal, nameOf, resumed, stuck } from './resume/resumed.js'
import type { Ground } from './resume/stand.js'
import { type Situation, situations } from './resume/table.js'

/** `--only` names a situation such as "unknown / not-configured / dead", after where it is made or alone. */
const figures = {
  every: [99, 1],
  gitEvery: [349, 23],
  realEvery: [10, 1],
  courses: [25, 1000],
  only: ['', ''],
} as const

/**
 * Begins one more apply in every situation that an earlier run may leave behind, with the command line in this process and
 * the time of a virtual clock, runs each command that is printed as it is printed, and sees whether that comes to an end.
 * Then the same with state in git, and with real processes. The simulation says in which situations runs begin.
 */
export const check = declareCheck({
  name: 'resume',
  shows:
    'Wherever an earlier run ended, one more apply, followed by the commands that it prints, completes the site.',
  counts: {
    situations: [7, 700],
    commands: [20, 1200],
    'of them by the program': [1, 10],
    'situations of the simulation': [45, 60],
    'controls found': [3, 3],
  },
  planted: 'controls found',
  short: 'ci',
  gate: 'change',
  figures,
  async run(run) {
    for (const tried of matrices(run.figures)) await tryMatrix(run, tried)
    if (run.figures.only !== '') return
    await reach(run)
    await control(run)
  },
})

type Run = CheckRun<typeof figures>

/** Situations that are made at one kind of place. */
interface Matrix {
  readonly where: string
  readonly ground: Ground
  readonly all: readonly Situation[]
  /** One in so many of them is tried. */
  readonly step: number
}

function matrices({ every, gitEvery, realEvery }: Run['figures']): readonly Matrix[] {
  return [
    {
      where: 'state in files',
      ground: { keeps: 'file', time: 'virtual' },
      all: situations,
      step: every,
    },
    {
      where: 'state in git',
      ground: { keeps: 'git', time: 'virtual' },
      all: situations,
      step: gitEvery,
    },
    {
      where: 'real processes',
      ground: { keeps: 'file', time: 'real' },
      all: forReal,
      step: realEvery,
    },
  ]
}

async function tryMatrix(run: Run, { where, ground, all, step }: Matrix) {
  const { only } = run.figures
  const name = (situation: Situation) => `${where}, ${nameOf(situation)}`
  const chosen =
    only === ''
      ? all.filter((_, at) => at % step === run.seed % step)
      : all.filter(one => only === name(one) || only === nameOf(one))
  if (only !== '' && chosen.length === 0) return
  if (ground.keeps === 'git' && !hasGit)
    return run.skip('state in git: git is not there', 'situations', 'commands')
  const ends: Record<string, number> = {}
  for (const situation of chosen) {
    const { steps, complaints } = await resumed(situation, ground)
    const first = steps[0] ?? 'nothing'
    ends[first] = (ends[first] ?? 0) + 1
    const again = run.again('--seed', `${run.seed}`, '--only', name(situation))
    run.complain(name(situation), complaints.length === 0 ? [] : [...complaints, again])
    run.count(ground.time === 'real' ? 'of them by the program' : 'situations')
    run.count('commands', steps.length)
  }
  const ended = Object.entries(ends).map(([end, times]) => `${times} x ${end}`)
  run.say(`${where}: ${chosen.length} situations; ${ended.join(', ')}`)
}

/** Plays the simulation: what it reaches must be in the table, and it has to reach much. */
async function reach({ figures: { courses }, complain, count, say }: Run) {
  const { names, unknown } = await reached({
    every: Math.round(200_000 / courses),
    seeds: Math.round(courses / 5),
  })
  complain('the simulation reaches a situation that no table has', unknown)
  count('situations of the simulation', names.size)
  say(`the simulation begins runs in ${names.size} situations`)
}

async function control({ count, violation }: Run) {
  for (const [name, { tell, from }] of Object.entries(stuck)) {
    const { complaints } = await resumed(from, { keeps: 'file', time: 'virtual' }, tell)
    if (complaints.length === 0) violation(`the control: nobody finds a program that ${name}`)
    else count('controls found')
  }
}
