import { diagnose } from '../../diagnostics/diagnostic.js'
import { readLastSegment, splitPointer } from '../../schema/pointer.js'
import { select, selectAll } from '../../schema/select.js'
import { findPathProblem, referencePatterns } from '../references.js'
import { findSiteUrlProblem, hasCapitals, isPlainSiteUrl, suggestBaseUrl } from '../site-url.js'
import { describeLocation, insertName, parseDeclaredLocation, suggestLocation } from '../state-location.js'
import type { Rule } from './rule.js'

/** The site URL is safe to send secrets to. */
export const urlIsUsable: Rule = function* ({ index }) {
  for (const { pointer, value: url } of select(index, '/spec/site/url')) {
    if (typeof url !== 'string' || isPlainSiteUrl(url)) continue
    const problem = findSiteUrlProblem(url)
    if (problem !== undefined) yield diagnose('site/url', pointer, { problem })
    else if (hasCapitals(url)) yield diagnose('site/url-capitals', pointer, {})
    else {
      const base = suggestBaseUrl(url)
      if (base !== undefined) yield diagnose('site/url-base', pointer, { base })
    }
  }
}

/** The declared state location is valid. */
export const stateLocationIsUsable: Rule = function* ({ index }) {
  for (const { pointer, value: text } of select(index, '/spec/state')) {
    if (typeof text !== 'string' || text === '') continue
    // Any name works here: another rule checks `metadata.name`.
    const parsed = parseDeclaredLocation(insertName(text, 'name'))
    if (parsed.ok && !/[{}]/.test(text.replaceAll('{name}', ''))) continue
    const problem = parsed.ok ? 'contains a placeholder other than `{name}`' : parsed.error
    const facts = { found: describeLocation(text), problem, instead: suggestLocation(text) }
    yield diagnose('state/location', pointer, facts)
  }
}

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
