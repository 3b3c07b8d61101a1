import { relative, sep } from 'node:path'
import type { Diagnostic, Place } from '../../diagnostics/diagnostic.js'
import type { Findings } from '../../report/findings/findings.js'

/** The same findings, with files named as CI systems look for them: from the working folder, with slashes. */
export function fromWorkingFolder({ files, diagnostics }: Findings): Findings {
  return { files: files.map(fileFromHere), diagnostics: diagnostics.map(diagnosticFromHere) }
}

/** The same diagnostic with its files named so. */
export function diagnosticFromHere(diagnostic: Diagnostic): Diagnostic {
  const { place, related } = diagnostic
  return {
    ...diagnostic,
    ...(place !== undefined && { place: placed(place) }),
    ...(related !== undefined && { related: related.map(one => ({ ...one, place: placed(one.place) })) }),
  }
}

/** A file by its path from the working folder, with slashes. */
export function fileFromHere(file: string): string {
  return relative('', file).replaceAll(sep, '/')
}

function placed(place: Place): Place {
  return { ...place, file: fileFromHere(place.file) }
}
