import type { Host } from '../host.js'
import { applies, complaintsAbout } from './answers.js'
import { type Given, questions } from './questions.js'

/** Asks a person everything that is not given yet; `undefined` when the person stops. */
export async function askFor(given: Given, host: Host): Promise<Given | undefined> {
  let answers = given
  for (const { name, message, choices, hint, preset } of questions) {
    if (answers[name] !== undefined || !applies(name, answers)) continue
    const known = answers
    const answer = await host.prompt({
      message,
      initial: preset?.(known),
      choices: choices?.(known),
      ...(hint !== undefined && { hint }),
      complaint(line) {
        const [first] = complaintsAbout({ ...known, [name]: line }, name)
        return first === undefined ? undefined : [first.message, first.help].filter(Boolean).join('; ')
      },
    })
    if (answer.kind !== 'line') return undefined
    answers = { ...answers, [name]: answer.text }
  }
  return answers
}
