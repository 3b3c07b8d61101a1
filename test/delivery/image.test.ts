import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterEach, expect, test } from '@jest/globals'
import { root } from '../support/manifests.js'
import { runProgram } from '../support/program.js'
import { removeTemporaryFolders, temporaryFolder } from '../support/temporary-folder.js'

afterEach(removeTemporaryFolders)

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const [, last = []] = stagesOf(read('Dockerfile'))
const argumentsOf = (name: string) => last.filter(([word]) => word === name).map(([, rest]) => rest)
const copied = argumentsOf('COPY')
  .filter(words => !words.startsWith('--from='))
  .map(words => ({ sources: words.split(' ').slice(0, -1), target: words.split(' ').at(-1) ?? '' }))

test('the image runs Landform as a user without rights, whom a cluster can tell by the number', () => {
  expect(argumentsOf('USER')).toEqual(['65532:65532'])
  expect(argumentsOf('ENTRYPOINT')).toEqual(['["landform"]'])
  expect(argumentsOf('LABEL').join()).toContain(`licenses="${JSON.parse(read('package.json')).license}"`)
})

test('what the image is made from is there after a build, and is all that gets into it', () => {
  const letIn = read('.dockerignore')
    .split('\n')
    .flatMap(line => (line.startsWith('!') ? [line.slice(1)] : []))
  expect(copied.flatMap(({ sources }) => sources).toSorted()).toEqual(letIn.toSorted())
  for (const path of letIn) expect(existsSync(join(root, path))).toBe(true)
})

test('what the image holds is enough to run', async () => {
  const image = await temporaryFolder()
  for (const { sources, target } of copied)
    for (const source of sources) {
      const place = target.endsWith('/') ? join(target, basename(source)) : target
      mkdirSync(join(image, target), { recursive: true })
      cpSync(join(root, source), join(image, place), { recursive: true })
    }
  const program = join(image, 'opt/landform/bin/landform.cjs')
  const env = { XDG_CACHE_HOME: join(image, 'nowhere/to/write') }
  for (const words of [
    ['validate', 'quickstart.yaml'],
    ['plan', '--emulate', 'quickstart.yaml'],
    ['schema'],
  ]) {
    const cwd = join(root, 'examples')
    const { code, stderr } = await runProgram(process.execPath, [program, ...words], { cwd, env })
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('error')])
  }
})

/** The instructions of each stage, with joined lines and without comments. */
function stagesOf(text: string): readonly (readonly (readonly [string, string])[])[] {
  const plain = text.replaceAll(/^\s*#.*\n/gm, '').replaceAll(/\\\n\s*/g, '')
  const instructions = plain.split('\n').flatMap(line => {
    const [, word = '', rest = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? []
    return word === '' ? [] : [[word, rest] as const]
  })
  const starts = instructions.flatMap(([word], at) => (word === 'FROM' ? [at] : []))
  return starts.map((from, at) => instructions.slice(from, starts[at + 1]))
}
