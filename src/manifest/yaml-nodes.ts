import {
  type Document,
  type ErrorCode,
  isAlias,
  isCollection,
  isMap,
  isPair,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml'
import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js'
import { findSimilar } from '../diagnostics/did-you-mean.js'
import { formatSuggestion, quote } from '../diagnostics/words.js'
import type { JsonValue } from '../schema/json-schema.js'
import { appendSegment, type JsonPointer, splitPointer } from '../schema/pointer.js'
import { isSecretKey, isSecretName, mayBeSecret } from './may-be-secret.js'
import { type Range, type Span, skipLine } from './span.js'
import { yamlLimits } from './yaml-limits.js'

/** Limits the diagnostics; a malicious file could cause hundreds of thousands. */
const maxProblems = 50

export interface YamlProblem {
  readonly diagnostic: Diagnostic
  readonly span: Range
  /** The range of the first of two equal keys. */
  readonly first?: Range | undefined
}

/** Converts nodes to values, once and within the caps, and records the place of each. */
export class NodeReader {
  readonly spans = new Map<JsonPointer, Span>()
  readonly problems: YamlProblem[] = []
  readonly unread: Range[] = []
  readonly #document: Document
  readonly #text: string
  #nodes = 0
  #pathCharacters = 0
  #aliases = 0
  readonly #open = new Set<Node>()
  /** The pointers of the values with an anchor, by the offsets of these values. */
  readonly anchors = new Map<number, JsonPointer>()
  readonly #anchorNames: string[] = []

  constructor(document: Document, text: string) {
    this.#document = document
    this.#text = text
  }

  read(node: Node | null, pointer: JsonPointer, depth: number): JsonValue {
    if (node === null) return null
    this.#nodes += 1
    this.#pathCharacters += pointer.length
    const full = this.#full()
    if (full !== undefined) return this.#refuse(node, full)
    if (!this.spans.has(pointer)) this.spans.set(pointer, { value: this.#range(node) })
    if (!isAlias(node) && node.tag !== undefined) {
      const mark = this.#text.lastIndexOf('!', readRange(node)[0])
      const tag = this.#text[mark - 1] === '!' ? mark - 1 : mark
      const diagnostic = diagnoseUnsupported(pointer, 'tags', 'write the value without a tag')
      this.#report({ diagnostic, span: [tag, tag + 1] })
    }
    if (!isAlias(node) && node.anchor !== undefined && !this.anchors.has(readRange(node)[0])) {
      this.anchors.set(readRange(node)[0], pointer)
      this.#anchorNames.push(node.anchor)
    }
    if (depth > yamlLimits.depth) return this.#refuse(node, diagnoseTooDeep())
    if (isAlias(node)) return this.#followed(node, pointer, depth)
    if (isSeq(node))
      return node.items.map((item, index) =>
        this.read(item as Node | null, appendSegment(pointer, index), depth + 1),
      )
    if (isMap(node)) return this.#map(node, pointer, depth)
    return this.#scalar(node)
  }

  #full(): Diagnostic | undefined {
    if (this.#nodes > yamlLimits.nodes)
      return diagnoseTooLarge('too many values', `${yamlLimits.nodes} values`)
    if (this.#pathCharacters <= yamlLimits.pathCharacters) return undefined
    return diagnoseTooLarge(
      'the keys are too long',
      `${yamlLimits.pathCharacters} characters in the paths of all values`,
    )
  }

  #map(map: YAMLMap, pointer: JsonPointer, depth: number): JsonValue {
    const members = new Map<string, JsonValue>()
    for (const pair of map.items as Pair<Node, Node | null>[]) {
      const key = this.#key(pair.key)
      if (key === undefined) {
        this.unread.push(readRange(pair.value))
        continue
      }
      const at = appendSegment(pointer, key)
      if (members.has(key)) {
        const shown = isSecretKey(splitPointer(at)) ? '…' : key
        const diagnostic = diagnose('yaml/duplicate-key', at, { key: shown })
        this.#report({ diagnostic, span: readRange(pair.key), first: this.spans.get(at)?.key })
        if (shown !== key) this.unread.push(readRange(pair.key))
        this.#hideSecrets(pair.value, splitPointer(at))
        continue
      }
      const keySpan = readRange(pair.key)
      const range = this.#range(pair.value)
      this.spans.set(at, { key: keySpan, value: range[1] > range[0] ? range : keySpan })
      members.set(key, this.read(pair.value, at, depth + 1))
    }
    return Object.fromEntries(members)
  }

  #key(node: Node): string | undefined {
    const full = this.#full()
    if (full !== undefined) {
      this.#refuse(node, full)
      return undefined
    }
    if (!isScalar(node) || typeof node.value !== 'string') {
      this.#refuse(node, diagnoseUnsupported('', 'keys that are not text', 'quote the key'))
      return undefined
    }
    if (node.value === '<<') {
      this.#refuse(
        node,
        diagnoseUnsupported(
          '',
          'merge keys',
          'write the fields explicitly, or use an alias for a whole value',
        ),
      )
      return undefined
    }
    if (node.value === '__proto__') {
      this.#refuse(node, diagnoseUnsupported('', 'the field `__proto__`', 'remove it'))
      return undefined
    }
    return node.value
  }

  #scalar(node: Node): JsonValue {
    const value: unknown = isScalar(node) ? node.value : undefined
    if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value
    if (typeof value === 'number' && Number.isFinite(value)) return value
    return this.#refuse(
      node,
      diagnoseUnsupported('', 'infinite numbers and NaN', 'write a finite number, or quoted text'),
    )
  }

  #followed(
    node: Node & { resolve(document: Document): Node | undefined },
    pointer: JsonPointer,
    depth: number,
  ) {
    this.#aliases += 1
    if (this.#aliases > yamlLimits.aliases)
      return this.#refuse(node, diagnoseTooLarge('too many aliases', `${yamlLimits.aliases} aliases`))
    const target = node.resolve(this.#document)
    if (target === undefined) return this.#refuseAlias(node, pointer)
    if (this.#open.has(target))
      return this.#refuse(
        node,
        diagnoseUnsupported(pointer, 'aliases that contain themselves', 'write the value explicitly'),
      )
    const span = this.spans.get(pointer)
    if (span !== undefined) this.spans.set(pointer, { ...span, source: this.#range(target) })
    this.#open.add(target)
    const value = this.read(target, pointer, depth)
    this.#open.delete(target)
    return value
  }

  /** Rejects an unknown alias, and suggests the most similar anchor. Does not repeat a secret that begins with an asterisk. */
  #refuseAlias(node: Node & { readonly source?: string }, pointer: JsonPointer): null {
    const { source = '' } = node
    if (splitPointer(pointer).some(isSecretName))
      return this.#refuse(node, diagnose('yaml/syntax', pointer, { reason: syntaxReasons.BAD_ALIAS }))
    const nearest = findSimilar(source, this.#anchorNames)
    const reason = `the alias ${quote(`*${source}`)} refers to no anchor before it`
    const help =
      nearest === undefined
        ? `write ${quote(`&${source}`)} before its value, or quote text that begins with ${quote('*')}`
        : formatSuggestion(`*${nearest}`)
    this.#report({ diagnostic: diagnose('yaml/syntax', pointer, { reason, help }), span: readRange(node) })
    return null
  }

  /** Marks the secrets of a value that is not part of the document. */
  #hideSecrets(node: Node | null, path: readonly string[]): void {
    if (isMap(node))
      for (const { key, value } of node.items as Pair<Node, Node | null>[]) {
        const below = isScalar(key) && typeof key.value === 'string' ? [...path, key.value] : undefined
        if (below === undefined || isSecretKey(below)) this.unread.push(readRange(key), readRange(value))
        else this.#hideSecrets(value, below)
      }
    else if (isSeq(node)) for (const item of node.items) this.#hideSecrets(item as Node | null, path)
    else if (isScalar(node) ? mayBeSecret(path, node.value) : path.some(isSecretName))
      this.unread.push(readRange(node))
  }

  /** Returns the range of a node, without the comments after a block, which the parser includes if they are indented. */
  #range(node: Node | null): Range {
    const [from, to] = readRange(node)
    return isBlock(node) ? [from, this.#findEnd(node)] : [from, to]
  }

  /** Finds the end of the last line of a node. */
  #findEnd(node: Node): number {
    const to = readRange(node)[1]
    if (isScalar(node) && node.type?.startsWith('BLOCK') === true) return to
    if (!isBlock(node)) return skipLine(this.#text, to)
    const last = node.items.at(-1)
    if (!isPair(last)) return last == null ? to : this.#findEnd(last as Node)
    const { key, value } = last as Pair<Node, Node | null>
    const [start, end] = readRange(value)
    return value === null || end === start ? skipLine(this.#text, readRange(key)[1]) : this.#findEnd(value)
  }

  #refuse(node: Node, diagnostic: Diagnostic): null {
    this.unread.push(readRange(node))
    this.#report({ diagnostic, span: readRange(node) })
    return null
  }

  #report(problem: YamlProblem): void {
    const { diagnostic } = problem
    const again =
      diagnostic.code === 'yaml/too-large' &&
      this.problems.some(({ diagnostic: { code } }) => code === 'yaml/too-large')
    if (this.problems.length < maxProblems && !again) this.problems.push(problem)
  }
}

/** Diagnoses a YAML feature that manifests do not support. */
export function diagnoseUnsupported(pointer: JsonPointer, what: string, instead: string): Diagnostic {
  return diagnose('yaml/unsupported', pointer, { what, instead })
}

function isBlock(node: Node | null): node is YAMLMap | YAMLSeq {
  return isCollection(node) && node.flow !== true
}

function readRange(node: Node | null): Range {
  const [from, to] = node?.range ?? [0, 0]
  return [from, to]
}

/** The meaning of each code of the YAML parser, whose own messages may quote the text, and so a secret. */
export const syntaxReasons: Readonly<Record<ErrorCode, string>> = {
  ALIAS_PROPS: 'an alias must not have an anchor or tag',
  BAD_ALIAS: 'this alias refers to an anchor that does not exist before it',
  BAD_COLLECTION_TYPE: 'this tag does not match the collection',
  BAD_DIRECTIVE: 'unknown directive',
  BAD_DQ_ESCAPE: 'invalid escape sequence in double quotes',
  BAD_INDENT: 'the indentation does not match the surrounding lines',
  BAD_PROP_ORDER: 'anchors and tags belong after the indicator and before the value',
  BAD_SCALAR_START: 'a value cannot begin with this character; put it in quotes',
  BLOCK_AS_IMPLICIT_KEY:
    'a value that contains a colon and a space needs quotes, or a line is indented wrongly',
  BLOCK_IN_FLOW: 'inside braces and brackets only the flow style is allowed',
  DUPLICATE_KEY: 'duplicate key',
  IMPOSSIBLE: 'the text cannot be parsed',
  KEY_OVER_1024_CHARS: 'a key is longer than 1,024 characters',
  MISSING_CHAR:
    'a character is missing before here, such as a closing quote, a bracket, a comma or a space after a colon',
  MULTILINE_IMPLICIT_KEY: 'a key spans several lines; a colon or a quote may be missing',
  MULTIPLE_ANCHORS: 'a value can have only one anchor',
  MULTIPLE_DOCS: 'a second document begins here',
  MULTIPLE_TAGS: 'a value can have only one tag',
  NON_STRING_KEY: 'a key is not text',
  RESOURCE_EXHAUSTION: 'the nesting is too deep',
  TAB_AS_INDENT: 'tabs cannot indent; use spaces',
  TAG_RESOLVE_FAILED: 'a tag cannot be resolved',
  UNEXPECTED_TOKEN: 'unexpected text; a quote, bracket or line break before it may be wrong',
}

/** Diagnoses an exceeded limit. */
export function diagnoseTooLarge(what: string, limit: string): Diagnostic {
  return diagnose('yaml/too-large', '', { what, limit })
}

/** Diagnoses nesting that is too deep. */
export function diagnoseTooDeep(): Diagnostic {
  return diagnoseTooLarge('the nesting is too deep', `${yamlLimits.depth} levels`)
}
