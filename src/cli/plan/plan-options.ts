import type { JsonPointer } from '../../diagnostics/pointer.js'
import { fieldAt, fieldMeantBy, openFieldAt } from '../check/field-path.js'
import { UsageError } from '../usage-error.js'

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
