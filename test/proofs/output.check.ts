import { spawn } from 'node:child_process'
import { hostileMarkup } from '../support/hostile-markup.js'
import { landformProgram } from '../support/landform-program.js'
import { type CheckRun, declareCheck } from './check.js'
import { type HostileSite, type Rendering, type RunCommand, renderings } from './output/hostile-run.js'
import { hostileSite } from './output/hostile-site.js'
import { careless, elementsOf, type Harmless, outputComplaints } from './output/oracles.js'

const long = 'x`<b>|\n::error::'.repeat(6000)
const allTexts = [...hostileMarkup, long]

/**
 * Has every command print texts that try to become something else, in manifests and from a site, in every format.
 * Renderings by somebody careless are the control.
 */
export const check = declareCheck({
  name: 'output',
  shows: 'Text of a manifest or a site stays plain text in every format of every command.',
  counts: {
    texts: [12, 200],
    renderings: [700, 10_000],
    'renderings that show it': [48, 48],
    'texts through pipes': [1, 12],
    'careless formats found': [11, 11],
  },
  planted: 'careless formats found',
  short: 'release',
  gate: 'change',
  figures: {
    texts: [12, allTexts.length],
    /** The first text; below zero the seed chooses it. */
    from: [-1, 0],
    /** How many texts are tried with the program and its pipes, too. */
    piped: [1, 12],
  },
  async run(run) {
    const { texts, from, piped } = run.figures
    const first = from < 0 ? run.seed % allTexts.length : from
    const chosen = Array.from({ length: texts }, (_, at) => textAt(first + at * 7))
    const site = await hostileSite()
    try {
      const harmless = await harmlessElements(run, site)
      const slots = new Set<string>()
      const judge = (text: string, made: readonly Rendering[]) => {
        for (const { slot } of made) slots.add(slot)
        judgeRenderings(run, { text, made, harmless })
      }
      for (const text of chosen) {
        run.count('texts')
        judge(text, await renderings(text, site))
      }
      for (const text of chosen.slice(0, piped)) {
        run.count('texts through pipes')
        judge(text, await renderings(text, site, runProgramPiped))
      }
      checkControl(run)
      run.say(`${slots.size} renderings of each text`)
    } finally {
      await site.close()
    }
  },
})

/** What a rendering of each format may be made of. */
type HarmlessByFormat = ReadonlyMap<string, Harmless>

function textAt(number: number): string {
  return allTexts[number % allTexts.length] ?? ''
}

/** Finds what each format is made of when nothing is hostile. */
async function harmlessElements(run: CheckRun, site: HostileSite): Promise<HarmlessByFormat> {
  const found = new Map<string, Harmless>()
  const showing = new Set<string>()
  for (const text of ['harmless', 'more', ''])
    for (const { slot, format, text: rendered } of await renderings(text, site)) {
      if (rendered.includes('harmless')) showing.add(slot)
      found.set(format, new Set([...(found.get(format) ?? []), ...elementsOf(format, rendered)]))
    }
  // Where a text is not shown, nothing is tried.
  run.count('renderings that show it', showing.size)
  return found
}

interface Judged {
  readonly text: string
  readonly made: readonly Rendering[]
  readonly harmless: HarmlessByFormat
}

function judgeRenderings(run: CheckRun, { text, made, harmless }: Judged): void {
  for (const { slot, format, text: rendered } of made) {
    run.count('renderings')
    run.complain(
      `${JSON.stringify(text.slice(0, 60))}, ${slot}`,
      outputComplaints(format, rendered, harmless.get(format) ?? new Set()),
    )
  }
}

/** Finds a careless rendering of all texts in each format. */
function checkControl(run: CheckRun): void {
  for (const [format, render] of Object.entries(careless)) {
    const own = elementsOf(format, render('harmless'))
    if (!allTexts.some(text => outputComplaints(format, render(text), own).length > 0))
      run.violation(`nobody saw that ${format} was careless`)
    else run.count('careless formats found')
  }
}

/** Runs the program as users have it; this process goes on, since it is the site. */
const runProgramPiped: RunCommand = (words, environment) =>
  new Promise(resolve => {
    const child = spawn(process.execPath, [landformProgram, ...words], {
      env: { PATH: process.env['PATH'], ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 60_000,
    })
    const out: Buffer[] = []
    const err: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk))
    child.on('close', () =>
      resolve({ out: Buffer.concat(out).toString(), err: Buffer.concat(err).toString() }),
    )
  })
