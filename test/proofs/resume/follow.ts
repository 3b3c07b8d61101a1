import { splitWords } from '../../../src/github-action/inputs.js'
import { exitCodes } from '../../../src/report/exit-code.js'
import { joinLines } from '../../support/join-lines.js'
import { told, type World, wordsOf } from '../faults/world.js'
import type { Stand } from './stand.js'
import { codeOf, lastCodeOf, type Situation } from './table.js'

/** How runs are made: by the command line in this process, or by the program. */
export type Teller = (
  world: World,
  words: readonly string[],
) => Promise<{ readonly exitCode: number; readonly out: string; readonly err: string }>

/** What one more apply came to, and then each command that the one before had printed. */
export interface Followed {
  readonly steps: readonly string[]
  readonly complaints: readonly string[]
}

const mostSteps = 10
/** What the longest of them may take on the clock of the site. */
const mostMs = 45 * 60_000

/** Runs `apply` once more, and then what is printed, word by word, until nothing is left to be done. */
export async function followed(
  situation: Situation,
  { world, time, mend }: Pick<Stand, 'world' | 'time' | 'mend'>,
  tell: Teller = told,
): Promise<Followed> {
  const steps: string[] = []
  const complaints: string[] = []
  let words = wordsOf(world, 'apply')
  for (let step = 0; step < mostSteps; step += 1) {
    const beganMs = world.clock.monotonicMs()
    const { exitCode, out, err } = await tell(world, words)
    const tookMs = world.clock.monotonicMs() - beganMs
    const name = words.slice(0, words[0] === 'state' ? 2 : 1).join(' ')
    steps.push(`${name} ${exitCode}`)
    if (step === 0 && !isExpected(exitCode, situation, time))
      complaints.push(`one more apply ends with ${exitCode}, not ${codeOf(situation)}: ${err}`)
    if (tookMs > mostMs) complaints.push(`${name} took ${tookMs} ms`)
    if (step === 0) await mend()
    if (name === 'apply' && exitCode === lastCodeOf(situation)) return { steps, complaints }
    if (name === 'plan' && exitCode === 0) {
      // It was reviewed.
      words = wordsOf(world, 'apply')
      continue
    }
    const printed = commandsIn(`${out}\n${err}`)
    for (const look of printed.filter(isReadOnly)) {
      const looked = await tell(world, look)
      if (neverFromReading.includes(looked.exitCode))
        complaints.push(`${look.join(' ')} is printed, and ends with ${looked.exitCode}: ${looked.err}`)
    }
    const next = printed.filter(one => !isReadOnly(one)).at(-1) ?? sameAgain(words, err) ?? printed.at(-1)
    if (next === undefined && !fromOutside.includes(exitCode)) {
      complaints.push(`${name} ends with ${exitCode} and names no command: ${err}`)
      return { steps, complaints }
    }
    words = next ?? words
  }
  return { steps, complaints: [...complaints, `stuck: ${steps.join(', ')}`] }
}

/** Compares what one more apply ends with. By a real clock it may reach its own deadline first: what it prints then leads on. */
function isExpected(exitCode: number, situation: Situation, time: Stand['time']): boolean {
  const code = codeOf(situation)
  const isLate = time === 'real' && code === exitCodes.done && exitCode === exitCodes.inProgress
  return exitCode === code || isLate
}

/** Every command that a message names, as the words that a shell would make of it. */
function commandsIn(message: string): readonly (readonly string[])[] {
  const text = joinLines(message)
  const quoted = [...text.matchAll(/`landform ([^`]+)`/g)].map(([, words = '']) => words)
  const plain = [...text.matchAll(/^next: landform (.+)$/gm)].map(([, words = '']) => words)
  return [...quoted, ...plain].map(one => {
    const split = splitWords(one)
    if (!split.ok) throw new Error(`no shell takes ${one}, which ${split.error}`)
    return split.value
  })
}

/** The same words, where a message asks for them by that name, with the option that it names. */
function sameAgain(words: readonly string[], err: string): readonly string[] | undefined {
  const found = /the same command(?:[^.\n]*? with (--[a-z-]+))?/.exec(joinLines(err))
  if (found === null) return undefined
  const [, option] = found
  return option === undefined ? words : [...words, option]
}

const isReadOnly = ([first, second]: readonly string[]) =>
  first === 'status' || first === 'plan' || (first === 'state' && second === 'show')

/** A command that was printed has right words, and names files that are there. */
const neverFromReading: readonly number[] = [64, 65, 66, 70]

/** What hinders is outside, and its message says what to mend: then the same command goes on. */
const fromOutside: readonly number[] = [69, 75, 77]
