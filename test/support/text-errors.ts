import { isDeepStrictEqual } from 'node:util'
import type { Diagnostic } from '../../src/diagnostics/diagnostic.js'
import { loadManifest } from '../../src/manifest/load-manifest.js'
import { isClean } from '../../src/manifest/quick-check.js'
import { readQuickly } from '../../src/manifest/quick-value.js'
import type { Source } from '../../src/manifest/source.js'
import { parseYaml } from '../../src/manifest/yaml-document.js'
import { display } from '../../src/report/display.js'
import { aSource } from './changed-manifest.js'
import { unprintable } from './hostile-texts.js'

type Load = (source: Source) => { readonly diagnostics: readonly Diagnostic[] }

/** What is wrong with how a text is checked, whatever the text is; empty when all is well. */
export function listTextErrors(text: string, load: Load = loadManifest): readonly string[] {
  const source = aSource(text)
  try {
    const { diagnostics } = load(source)
    const lines = new TextDecoder().decode(source.bytes).split('\n')
    return [
      ...diagnostics
        .filter(one => !isInside(one, lines))
        .map(({ code }) => `${code} stands outside the text`),
      ...diagnostics.filter(isUnprintable).map(({ code }) => `${code} cannot be printed`),
      ...listQuickErrors(text),
      ...(isClean(source) && diagnostics.length > 0 ? ['the short way calls it clean'] : []),
    ]
  } catch (error) {
    return [`an exception: ${(error as Error).stack}`]
  }
}

/** Whatever the fast parser takes, the judge takes, with the same value. */
export function listQuickErrors(text: string): readonly string[] {
  const quick = readQuickly(text)?.value
  if (quick === undefined) return []
  const { document, diagnostics } = parseYaml(aSource(text))
  if (diagnostics.length > 0) return ['the fast parser takes what is refused']
  return isDeepStrictEqual(quick, document?.value) ? [] : ['the fast parser reads another value']
}

function isInside({ place }: Diagnostic, lines: readonly string[]): boolean {
  return [place?.start, place?.end].every(position => {
    const line = position === undefined ? undefined : lines[position.line - 1]
    return (
      line !== undefined &&
      position !== undefined &&
      position.column >= 1 &&
      position.column <= line.length + 1
    )
  })
}

function isUnprintable({ message, help = '' }: Diagnostic): boolean {
  return unprintable.test(display(message)) || unprintable.test(display(help))
}
