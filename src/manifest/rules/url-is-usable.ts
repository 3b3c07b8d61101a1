import { diagnose } from '../../diagnostics/diagnostic.js'
import { select } from '../select.js'
import { siteUrlProblem } from '../site-url.js'
import type { Rule } from './rule.js'

/** The address of the site is one that secrets may be sent to. */
export const urlIsUsable: Rule = function* ({ value }) {
  for (const { pointer, value: url } of select(value, '/spec/site/url')) {
    const problem = typeof url === 'string' ? siteUrlProblem(url) : undefined
    if (problem !== undefined) yield diagnose('site/url', pointer, { problem })
  }
}
