// Makes programs with a mistake in them, and has suites find each: designs of others in the simulation, and edits of the
// sources in a scratch copy, some of which take back what was mended once. `npm run verify:mutants [-- --short]`;
// `--only NAME` makes one of them, `--suite NAME` those that one suite is to find.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sourceMutants } from '../../dist/test/proofs/mutants/demanded.js'
import { withMistake } from '../../dist/test/proofs/mutants/mutant.js'
import { judged, tryMutant } from '../../dist/test/proofs/mutants/try-mutant.js'
import { portMutants } from '../../dist/test/proofs/sim/killer.js'
import { scratchCopy } from '../scratch-copy.mjs'
import { conclude, count, figures, say, violation } from './check.mjs'

const { only, suite, isShort } = figures({ only: ['', ''], suite: ['', ''] })
/** Who finds this finds anything. */
const control = {
  file: 'src/apply/wait/verdict.ts',
  from: 'const believedAfter = 2',
  to: 'const believedAfter = 1 + 1',
  by: ['jest', 'apply/wait-until-ready'],
}
const lanes = 2
/** The checks that found a mistake of the sources, each for itself. */
const finders = new Set()
const filesARun = 6

const isAsked = (name, by) => (only === '' || only === name) && (suite === '' || suite === by)
const chosenPorts = Object.entries(portMutants).filter(([name]) => isAsked(name, 'sim'))
const chosen = Object.entries(sourceMutants).filter(
  ([name, mutant]) => isAsked(name, mutant.by[0]) && (!isShort || mutant.isShort === true),
)
if (chosenPorts.length + chosen.length === 0) violation(`there is no mutant "${only}${suite}"`)

for (const [name, find] of chosenPorts) {
  const by = await find()
  if (by === undefined) violation(`${name}: nothing finds this mistake`)
  else found('designs', name, `sim: ${by.violation}, after ${by.courses} courses`)
}
if (chosen.length > 0) await tryAll()
count('checks that found one', finders.size)
conclude()

async function tryAll() {
  const folders = Array.from({ length: lanes }, () => scratchCopy('mutants', { withBuild: true }))
  if (!isShort && only === '') compileAll(folders[0])
  await inLanes(suitesOf(chosen), folders, async (by, folder) => {
    const verdict = await judged(folder, by)
    if (verdict.kind !== 'passed')
      violation(`${by.join(' ')} does not pass as it is: ${verdict.by ?? verdict.why}`)
  })
  await inLanes([['a change that changes nothing', control], ...chosen], folders, tryOne)
}

async function tryOne([name, mutant], folder) {
  const verdict = await tryMutant(folder, mutant)
  const words = mutant.by.join(' ')
  if (verdict.kind === 'broken') violation(`${name}: ${words} has no answer: ${verdict.why}`)
  else if (mutant === control) {
    if (verdict.kind === 'passed') say(`not found, as it must be: ${name}`)
    else violation(`${words} finds ${name}: ${verdict.by}`)
  } else if (verdict.kind === 'passed')
    violation(`${words} does not find this mistake: npm run verify:mutants -- --only '${name}'`)
  else {
    found('edits', name, `${mutant.by[0]}: ${verdict.by}`)
    if (mutant.by[0] !== 'jest') finders.add(mutant.by[0])
  }
}

function found(kind, name, by) {
  count(kind)
  say(`found: ${name}: ${by.split('\n')[0].slice(0, 160)}`)
}

/** What must pass as it is: test files, some in one run, and each verification as it is asked. */
function suitesOf(mutants) {
  const all = mutants.map(([, { by }]) => by)
  const tests = all.filter(([name]) => name === 'jest').flatMap(([, ...words]) => filesAmong(words))
  const others = new Map(all.filter(([name]) => name !== 'jest').map(by => [by.join(' '), by]))
  const files = [...new Set(tests)]
  const runs = Array.from({ length: Math.ceil(files.length / filesARun) }, (_, at) => [
    'jest',
    ...files.slice(at * filesARun, (at + 1) * filesARun),
  ])
  return [...runs, ...others.values()]
}

function filesAmong(words) {
  const end = words.indexOf('-t')
  return end < 0 ? words : words.slice(0, end)
}

/** A mistake that the compiler finds is none for a suite. Of each file one edit is made at a time. */
function compileAll(folder) {
  const compilerOptions = { noEmit: true, noUnusedLocals: false, noUnusedParameters: false }
  const config = { extends: './tsconfig.json', include: ['src'], compilerOptions }
  writeFileSync(join(folder, 'tsconfig.mutants.json'), JSON.stringify(config))
  for (let rest = chosen; rest.length > 0; ) {
    const round = rest.filter(([, { file }], at) => rest.findIndex(([, other]) => other.file === file) === at)
    rest = rest.filter(one => !round.includes(one))
    const sources = round.map(([, { file }]) => readFileSync(join(folder, file), 'utf8'))
    for (const [at, [, mutant]] of round.entries())
      writeFileSync(join(folder, mutant.file), withMistake(sources[at], mutant))
    const compiler = join('node_modules', 'typescript', 'bin', 'tsc')
    const { status, stdout } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.mutants.json'], {
      cwd: folder,
      encoding: 'utf8',
    })
    if (status !== 0) violation(`mistakes that do not compile: ${stdout}`)
    for (const [at, [, { file }]] of round.entries()) writeFileSync(join(folder, file), sources[at])
  }
}

async function inLanes(items, folders, work) {
  const rest = [...items]
  const lane = async folder => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) await work(item, folder)
  }
  await Promise.all(folders.map(lane))
}
