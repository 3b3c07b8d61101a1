import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** The expressions of a job, and what they stand for; one that is not known fails. */
export interface Expressions {
  /** Takes what a step tells later ones. */
  tell(step: string | undefined, output: string): void
  /** The same, by `STEP.NAME`. */
  told(output: string): string | undefined
  filled(text: string): string
  /** Whether a step is run, after steps of which one failed or none. */
  isDue(condition: string | undefined, hasFailed: boolean): boolean
}

/** Expressions with values that the run brings; `folder` is where files are looked for. */
export function expressionsOf(known: Readonly<Record<string, string>>, folder: string): Expressions {
  const outputs = new Map<string, string>()
  const resolved = (expression: string): string => {
    const [, step, name] = /^steps\.(\w+)\.outputs\.([\w-]+)$/.exec(expression) ?? []
    if (step !== undefined && name !== undefined) return outputs.get(`${step}.${name}`) ?? ''
    const value = known[expression]
    if (value === undefined) throw new Error(`no value for ${expression}`)
    return value
  }
  const holds = (part: string): boolean => {
    if (part === '' || part === '!cancelled()') return true
    const [, pattern] = /^hashFiles\('(.*)'\) != ''$/.exec(part) ?? []
    if (pattern !== undefined) return existsSync(join(folder, pattern))
    const [, expression = '', operator, value] = /^([\w.-]+) ([!=]=) '(.*)'$/.exec(part) ?? []
    return (resolved(expression) === value) === (operator === '==')
  }
  return {
    told: output => outputs.get(output),
    tell(step, output) {
      for (const line of output.split('\n')) {
        const [name = '', value = ''] = line.split('=')
        outputs.set(`${step}.${name}`, value)
      }
    },
    filled: text => text.replaceAll(/\$\{\{ (.*?) \}\}/g, (_, expression: string) => resolved(expression)),
    isDue(condition = '', hasFailed) {
      const bare = condition.replaceAll(/\$\{\{ | \}\}/g, '')
      if (hasFailed && !bare.includes('cancelled()')) return false
      return bare.split(' || ').some(either => either.split(' && ').every(holds))
    },
  }
}
