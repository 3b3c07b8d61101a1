import { relative, sep } from 'node:path'
import type { Place } from '../diagnostics/diagnostic.js'
import type { Findings } from '../report/findings/findings.js'

/** The same findings, with files named as CI systems look for them: from the working folder, with slashes. */
export function fromWorkingFolder({ files, diagnostics }: Findings): Findings {
  return {
    files: files.map(named),
    diagnostics: diagnostics.map(diagnostic => ({
      ...diagnostic,
      ...(diagnostic.place !== undefined && { place: placed(diagnostic.place) }),
      ...(diagnostic.related !== undefined && {
        related: diagnostic.related.map(one => ({ ...one, place: placed(one.place) })),
      }),
    })),
  }
}

function placed(place: Place): Place {
  return { ...place, file: named(place.file) }
}

function named(file: string): string {
  return relative('', file).replaceAll(sep, '/')
}
