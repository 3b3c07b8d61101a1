import type { Declaration } from '../command.js'
import type { Values } from '../command-line/read-command-line.js'
import { shellWord } from '../terminal/output.js'

/** Options that say how something is shown, and nothing of what is done. */
const looks = ['format', 'color', 'quiet', 'no-input']

/** A command as a person would type it again, with what was not the default. Options hold no secret. */
export function typedAgain({ name, arguments: words, options }: Declaration, argv: Values): string {
  const given = Object.entries(options).flatMap(([option, declared]) => {
    const value = argv[option]
    const preset = declared.kind === 'flag' ? undefined : declared.default
    if (looks.includes(option) || value === undefined || value === false || value === preset) return []
    if (typeof value === 'string') return [`--${option}`, value]
    return value === true ? [`--${option}`] : value.flatMap(one => [`--${option}`, one])
  })
  const positional = words.flatMap(word => argv[word.name] ?? []).map(String)
  return ['landform', ...name.split(' '), ...positional, ...given].map(shellWord).join(' ')
}
