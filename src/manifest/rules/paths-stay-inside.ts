import { diagnose } from '../../diagnostics/diagnostic.js'
import { readLastSegment, splitPointer } from '../../schema/pointer.js'
import { selectAll } from '../../schema/select.js'
import { findPathProblem, referencePatterns } from '../references.js'
import type { Rule } from './rule.js'

const files = [
  '/spec/license/file',
  '/spec/license/serverFile',
  '/spec/site/tls/caFile',
  '/spec/site/tls/client/certificate',
  ...referencePatterns.map(at => `${at}/file`),
]

/** Files of a manifest are below its folder; links out of it are rejected when a file is opened. */
export const pathsStayInside: Rule = function* ({ index }) {
  for (const found of selectAll(index, files)) {
    const path = found.value
    const problem = typeof path === 'string' ? findProblem(path) : undefined
    if (problem === undefined) continue
    const { pointer } = found
    const owner = readLastSegment(pointer) === 'file' ? splitPointer(pointer).at(-2) : undefined
    yield diagnose('file/path', pointer, { field: owner ?? readLastSegment(pointer), problem })
  }
}

function findProblem(path: string): string | undefined {
  return /(?:^|\/)\.\.(?:\/|$)/.test(path) ? 'leaves the folder of the manifest' : findPathProblem(path)
}
