import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { listExitCodes } from '../../scripts/reference/command-exit-codes.js'
import { buildAnchor } from '../../scripts/reference/markdown.js'
import { referencePages } from '../../scripts/reference/pages.js'
import { exitCodes } from '../../src/report/exit-code.js'
import { root } from '../support/manifests.js'
import { listSchemaErrors } from '../support/schema-errors.js'

const pages = await referencePages(root)
const folder = join(root, 'docs', 'reference')

test.each([...pages])('%s is up to date', (path, content) => {
  const written = readFileSync(join(root, path), 'utf8')
  expect(written === content ? 'fresh' : 'stale: run `npm run generate`').toBe('fresh')
})

describe.each(readdirSync(folder))('of docs/reference/%s', file => {
  const text = readFileSync(join(folder, file), 'utf8')

  test('every link leads to a file and a heading', () => {
    const links = [...text.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/\]\(([^)\s]+)\)/g)]
    const dead = links.flatMap(([, target = '']) => (leads(target, file) ? [] : [target]))
    expect(dead).toEqual([])
  })
})

test('the lines that the page of events shows are events', () => {
  const lines = jsonIn('docs/reference/events.md')
  expect(lines.length).toBeGreaterThan(15)
  expect(lines.flatMap(line => listSchemaErrors('event', line))).toEqual([])
})

test('the example on the page of plans is a plan', () => {
  expect(jsonIn('docs/reference/plan.md').map(plan => listSchemaErrors('plan', plan))).toEqual([[]])
})

test('every exit code in the transcripts is on the page of its command', () => {
  const transcripts = join(root, 'test', 'transcripts')
  const strange = readdirSync(transcripts)
    .filter(file => file.endsWith('.md'))
    .flatMap(file => [...readFileSync(join(transcripts, file), 'utf8').matchAll(session)])
    .filter(([, name = '', code]) => isCommand(name) && !listExitCodes(name).includes(Number(code)))
  expect(strange.map(([whole]) => whole)).toEqual([])
})

test('the page of exit codes lists the commands that end with each', () => {
  const page = pages.get('docs/reference/exit-codes.md') ?? ''
  for (const value of Object.values(exitCodes)) {
    const [, section = ''] = page.split(`\n## ${value}\n`)
    expect(section.split('\n## ')[0]).toMatch(/^\*Used by:\* \S/m)
  }
})

/** Matches `$ landform COMMAND …` and the exit code. */
const session = /^\$ landform ((?:webhooks |state )?[\w-]+)(?:(?!^\$)[\s\S])*?^\[exit (\d+)\]$/gm

function isCommand(name: string): boolean {
  return (pages.get('docs/reference/cli.md') ?? '').includes(`\n## landform ${name}\n`)
}

function jsonIn(path: string): readonly object[] {
  return [...(pages.get(path) ?? '').matchAll(/^```json\n([\s\S]*?)^```/gm)].map(([, text = '']) =>
    JSON.parse(text),
  )
}

function leads(target: string, from: string): boolean {
  if (target.startsWith('https://')) return true
  const [path = '', anchor] = target.split('#')
  const file = path === '' ? join(folder, from) : join(dirname(join(folder, from)), path)
  if (!existsSync(file)) return false
  if (anchor === undefined) return true
  const headings = [...readFileSync(file, 'utf8').matchAll(/^#+ (.*)$/gm)]
  return headings.some(([, heading = '']) => buildAnchor(heading) === anchor)
}
