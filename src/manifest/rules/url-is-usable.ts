import { diagnose } from '../../diagnostics/diagnostic.js'
import { select } from '../../schema/select.js'
import { findSiteUrlProblem, hasCapitals, isPlainSiteUrl, suggestBaseUrl } from '../site-url.js'
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
