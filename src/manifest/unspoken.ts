import type { Diagnostic, DiagnosticCode } from '../diagnostics/diagnostic.js'
import { child, type JsonPointer } from '../diagnostics/pointer.js'
import type { Strangers, UnknownField } from './unknown-fields.js'

/**
 * Stands for `diagnose` of `diagnostics/diagnostic.ts` in the bundle that checks clean files, where it counts only that a
 * rule has something to say: the words of all codes are a quarter of what would be loaded. See `scripts/bundle.mjs`.
 */
export function diagnose(code: DiagnosticCode, pointer: JsonPointer): Diagnostic {
  return { code, severity: 'error', message: '', pointer }
}

/** Stands for the one of `unknown-fields.ts` there: without what each field was meant to be. */
export function unknownFields({ owner, fields }: Strangers): readonly UnknownField[] {
  return fields.map(field => ({
    diagnostic: diagnose('manifest/unknown-field', child(owner, field)),
    suggestion: undefined,
    home: undefined,
    known: undefined,
  }))
}
