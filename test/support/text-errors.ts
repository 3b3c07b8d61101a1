import { isDeepStrictEqual } from 'node:util'
import type { Diagnostic } from '../../src/diagnostics/diagnostic.js'
import { loadManifest } from '../../src/manifest/load-manifest.js'
import type { Source } from '../../src/manifest/source.js'
import { judgeYaml } from '../../src/manifest/yaml-judge.js'
import { readYaml } from '../../src/manifest/yaml-reader.js'
import { display } from '../../src/report/display.js'
import { aSource } from './changed-manifest.js'
import { unprintable } from './hostile-texts.js'

type Load = (source: Source) => { readonly diagnostics: readonly Diagnostic[] }

/** Lists mistakes in the check of a text, whatever the text is. */
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
      ...listReaderErrors(text),
    ]
  } catch (error) {
    return [`an exception: ${(error as Error).stack}`]
  }
}

/**
 * Lists differences between the reader and the judge: every text that the reader accepts, the judge must accept with the same
 * values and positions.
 */
export function listReaderErrors(text: string): readonly string[] {
  const read = readYaml(text)
  if (read === undefined) return []
  const { content, problems } = judgeYaml(text)
  if (problems.length > 0) return ['the reader takes what is refused']
  return (['value', 'spans', 'anchors', 'unread'] as const)
    .filter(part => !isDeepStrictEqual(read[part], content?.[part]))
    .map(part => `the reader has other ${part}`)
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
