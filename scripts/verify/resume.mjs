// Begins one more apply in every situation that an earlier run may leave behind, with the command line in this process and
// the time of a virtual clock, runs each command that is printed as it is printed, and looks whether that comes to an
// end. Then the same with state in git, and with real processes. The simulation says in which situations runs begin.
// `npm run verify:resume [-- --short] [-- --only "unknown / not-configured / dead"]`
import { reached } from '../../dist/test/proofs/resume/reached.js'
import { forReal, nameOf, resumed, stuck } from '../../dist/test/proofs/resume/resumed.js'
import { situations } from '../../dist/test/proofs/resume/table.js'
import { hasGit } from '../../dist/test/support/git-repositories.js'
import { complain, conclude, count, figures, say, skip, violation } from './check.mjs'

const { every, gitEvery, realEvery, courses, only, seed } = figures({
  every: [33, 1],
  gitEvery: [349, 23],
  realEvery: [5, 1],
  courses: [100, 1000],
  only: ['', ''],
})
const inTurn = (all, step) => all.filter((_, at) => at % step === seed % step)
const asked = only === '' ? undefined : situations.filter(one => nameOf(one) === only)

await matrix('state in files', asked ?? inTurn(situations, every), { keeps: 'file', time: 'virtual' })
if (hasGit)
  await matrix('state in git', asked ?? inTurn(situations, gitEvery), { keeps: 'git', time: 'virtual' })
else skip('state in git: git is not there', 'situations', 'commands')
if (asked === undefined) {
  await matrix('real processes', inTurn(forReal, realEvery), { keeps: 'file', time: 'real' })
  await reach()
  await control()
}
conclude()

async function matrix(where, chosen, ground) {
  const ends = {}
  for (const situation of chosen) {
    const { steps, complaints } = await resumed(situation, ground)
    const [first] = steps
    ends[first] = (ends[first] ?? 0) + 1
    const again = `npm run verify:resume -- --only "${nameOf(situation)}"`
    complain(`${where}, ${nameOf(situation)}`, complaints.length === 0 ? [] : [...complaints, again])
    count(ground.time === 'real' ? 'of them by the program' : 'situations')
    count('commands', steps.length)
  }
  say(
    `${where}: ${chosen.length} situations; ${Object.entries(ends)
      .map(([end, times]) => `${times} x ${end}`)
      .join(', ')}`,
  )
}

/** What the simulation reaches must be in the table; that it reaches much is asked for, too. */
async function reach() {
  const { names, unknown } = await reached({
    every: Math.round(200_000 / courses),
    seeds: Math.round(courses / 5),
  })
  complain('the simulation reaches a situation that no table has', unknown)
  count('situations of the simulation', names.size)
  say(`the simulation begins runs in ${names.size} situations`)
}

async function control() {
  for (const [name, { tell, from }] of Object.entries(stuck)) {
    const { complaints } = await resumed(from, { keeps: 'file', time: 'virtual' }, tell)
    if (complaints.length === 0) violation(`the control: nobody finds a program that ${name}`)
    else count('controls found')
  }
}
