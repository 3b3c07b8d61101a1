import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { root } from '../../support/manifests.js'
import { runProgram } from '../../support/program.js'
import { temporaryFolder } from '../../support/temporary-folder.js'
import { linkDependencies } from './packed.js'

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const stages = stagesOf(read('Dockerfile'))
const stage = (name: string) => stages.find(([from]) => from?.[1].endsWith(` AS ${name}`)) ?? []
const argumentsOf = (instructions: Stage, name: string) =>
  instructions.filter(([word]) => word === name).map(([, rest]) => rest)
const [program, fleet] = [stage('program'), stage('fleet')]
const copied = (instructions: Stage) =>
  argumentsOf(instructions, 'COPY')
    .filter(words => !words.startsWith('--from='))
    .map(words => ({ sources: words.split(' ').slice(0, -1), target: words.split(' ').at(-1) ?? '' }))

test('the image runs Landform as an unprivileged user, by number so that a cluster can verify it', () => {
  expect(argumentsOf(program, 'USER')).toEqual(['65532:65532'])
  expect(argumentsOf(program, 'ENTRYPOINT')).toEqual(['["landform"]'])
  expect(argumentsOf(program, 'LABEL').join()).toContain(
    `licenses="${JSON.parse(read('package.json')).license}"`,
  )
})

test('the image for fleets adds a package, keeps the user, and is not the default target', () => {
  expect(fleet[0]).toEqual(['FROM', 'program AS fleet'])
  expect([...argumentsOf(fleet, 'USER'), ...argumentsOf(fleet, 'ENTRYPOINT')]).toEqual([])
  expect(stages.at(-1)).toEqual([['FROM', 'program']])
})

test('the sources of the images exist after a build, and nothing else gets into the images', () => {
  const letIn = read('.dockerignore')
    .split('\n')
    .flatMap(line => (line.startsWith('!') ? [line.slice(1)] : []))
  const sources = stages.flatMap(copied).flatMap(one => one.sources.map(path => path.replace(/\/$/, '')))
  expect(sources.toSorted()).toEqual(letIn.toSorted())
  for (const path of letIn) expect(existsSync(join(root, path))).toBe(true)
})

test('the content of the image is sufficient to run', async () => {
  const image = await temporaryFolder()
  copyInto(image, program)
  for (const words of [
    ['validate', 'quickstart.yaml'],
    ['plan', '--emulate', 'quickstart.yaml'],
    ['schema'],
  ]) {
    const { code, stderr } = await runIn(image, words)
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('error')])
  }
  expect(await runIn(image, ['fleet', 'status'])).toMatchObject({ code: 78 })
})

test('the image for fleets has the package where the program finds it', async () => {
  const image = await temporaryFolder()
  copyInto(image, program)
  copyInto(image, fleet)
  const [packages = ''] = argumentsOf(fleet, 'COPY').filter(words =>
    words.startsWith('--from=fleet-packages'),
  )
  // In place of `npm ci`.
  linkDependencies(dirname(join(image, packages.split(' ').at(-1) ?? '')))
  expect(await runIn(image, ['fleet', 'status'])).toMatchObject({ code: 66 })
})

function copyInto(image: string, instructions: Stage): void {
  for (const { sources, target } of copied(instructions))
    for (const source of sources) {
      const place = target.endsWith('/') ? join(target, basename(source)) : target
      mkdirSync(join(image, target), { recursive: true })
      cpSync(join(root, source), join(image, place), { recursive: true })
    }
}

function runIn(image: string, words: readonly string[]) {
  const path = join(image, 'opt/landform/bin/landform.cjs')
  return runProgram(process.execPath, [path, ...words], { cwd: join(root, 'examples'), env: {} })
}

type Stage = readonly (readonly [word: string, rest: string])[]

/** Returns the instructions of each stage, with continued lines joined and without comments. */
function stagesOf(text: string): readonly Stage[] {
  const plain = text.replaceAll(/^\s*#.*\n/gm, '').replaceAll(/\\\n\s*/g, '')
  const instructions = plain.split('\n').flatMap(line => {
    const [, word = '', rest = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? []
    return word === '' ? [] : [[word, rest] as const]
  })
  const starts = instructions.flatMap(([word], at) => (word === 'FROM' ? [at] : []))
  return starts.map((from, at) => instructions.slice(from, starts[at + 1]))
}
