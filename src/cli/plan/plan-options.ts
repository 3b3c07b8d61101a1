import type { JsonPointer } from '../../diagnostics/pointer.js'
import type { Options } from '../command.js'
import { fieldAt, fieldMeantBy, openFieldAt } from '../field-path.js'
import { UsageError } from '../usage-error.js'

/** The option of the commands that plan. */
export const ignoreOption = {
  'ignore-immutable': {
    kind: 'list',
    value: 'FIELD',
    describe: 'Do not stop at edits of a field that can never be applied, such as spec.logLevel',
  },
} as const satisfies Options

/** Reads the fields of `--ignore-immutable`; each stands for everything below it, too. */
export function parseIgnored(paths: readonly string[]): readonly JsonPointer[] {
  return paths.map(path => {
    const pointer = fieldAt(path) ?? openFieldAt(path)
    if (pointer !== undefined) return pointer
    const meant = fieldMeantBy(path)
    const remedy = meant === undefined ? 'name one such as spec.logLevel' : `did you mean ${meant}?`
    throw new UsageError(`there is no field ${JSON.stringify(path)} for --ignore-immutable; ${remedy}`)
  })
}
