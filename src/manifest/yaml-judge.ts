import { Composer, type Document, type ErrorCode, isScalar, type Node } from 'yaml'
import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js'
import { quote } from '../diagnostics/words.js'
import { findTooDeep, findUnclosed } from './nesting.js'
import type { YamlContent } from './span.js'
import { syntaxReasons } from './syntax-reasons.js'
import { diagnoseTooDeep, diagnoseTooLarge, yamlLimits } from './yaml-limits.js'
import { diagnoseUnsupported, NodeReader, type YamlProblem } from './yaml-nodes.js'
import { tokenize } from './yaml-tokens.js'

/** What can be read of a text, and its problems. */
export interface JudgedYaml {
  /** Absent where nothing can be read. */
  readonly content?: YamlContent
  readonly problems: readonly YamlProblem[]
}

/** Judges a text that `readYaml` refuses: finds its problems, or its value where it only is unusual. */
export function judgeYaml(text: string): JudgedYaml {
  const composed = compose(text)
  if (!('contents' in composed)) return { problems: [composed] }
  const reader = new NodeReader(composed, text)
  const value = reader.read(composed.contents as Node, '', 0)
  const { spans, anchors, unread, problems } = reader
  return { content: { value, spans, anchors, unread }, problems }
}

/** Composes the single document of a text, or diagnoses why that is impossible. */
function compose(text: string): Document | YamlProblem {
  const tokens = tokenize(text)
  if (typeof tokens === 'number')
    return {
      diagnostic: diagnoseTooLarge('too many tokens', `${yamlLimits.tokens} tokens`),
      span: [tokens, tokens],
    }
  const deep = findTooDeep(tokens)
  if (deep !== undefined) return { diagnostic: diagnoseTooDeep(), span: [deep, deep] }
  const composer = new Composer({
    // Both are unsafe here: one prints source lines, the other compares every key with every other.
    prettyErrors: false,
    uniqueKeys: false,
    // A directive would choose another schema, in which `yes` is true.
    schema: 'core',
    resolveKnownTags: false,
  })
  const [document, ...others] = runWithoutTraces(() => [...composer.compose(tokens, true, text.length)])
  const [error] = document?.errors ?? []
  // The parser reports these at the line after, or at the end of the text; users need the place where they begin.
  const unclosed = error === undefined ? undefined : findUnclosed(tokens)
  if (unclosed !== undefined) {
    const { offset, closedBy } = unclosed
    const facts = {
      reason: `this ${quote(text[offset] ?? '')} is never closed`,
      help: `close it with ${quote(closedBy)}`,
    }
    return { diagnostic: diagnose('yaml/syntax', '', facts), span: [offset, offset + 1] }
  }
  if (error !== undefined) return { diagnostic: diagnoseSyntax(error.code), span: error.pos }
  // A line of dashes at the end begins an empty document.
  const other = others.find(one => one.errors.length > 0 || !isEmptyDocument(one))
  if (other !== undefined)
    return {
      diagnostic: diagnose('yaml/several-documents', '', {}),
      span: [other.range[0], other.range[1]],
    }
  const directive = document?.warnings.find(({ code }) => code === 'BAD_DIRECTIVE')
  if (directive !== undefined)
    return { diagnostic: diagnoseUnsupported('', 'directives', 'remove the line'), span: directive.pos }
  if (document === undefined || isEmptyDocument(document))
    return { diagnostic: diagnose('yaml/empty', '', {}), span: [0, 0] }
  return document
}

/** Runs without stack traces: the parser creates an error for every mistake, and unused traces would take most of the time. */
function runWithoutTraces<T>(work: () => T): T {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return work()
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

function isEmptyDocument({ contents }: Document): boolean {
  return contents === null || (isScalar(contents) && contents.value === null)
}

function diagnoseSyntax(code: ErrorCode): Diagnostic {
  if (code === 'RESOURCE_EXHAUSTION') return diagnoseTooDeep()
  const help = code === 'TAB_AS_INDENT' ? 'replace each tab with spaces' : undefined
  return diagnose('yaml/syntax', '', { reason: syntaxReasons[code], help })
}
