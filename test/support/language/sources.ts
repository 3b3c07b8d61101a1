import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from '@babel/parser'

/** A file below the root, and a line of it, from 1. */
export interface Spot {
  readonly file: string
  readonly line: number
}

/** A name that a source declares. */
export interface Declared extends Spot {
  readonly name: string
  readonly exported: boolean
}

/** A doc comment, or a literal of more than one word. */
export interface SourceText extends Spot {
  readonly text: string
  /** It is the message of an error that is thrown: a bug, which no user meets. */
  readonly isThrown?: true
}

/** The names, doc comments and texts of one source. */
export interface Vocabulary {
  readonly functions: readonly Declared[]
  readonly types: readonly Declared[]
  readonly comments: readonly SourceText[]
  readonly strings: readonly SourceText[]
}

/** The TypeScript sources below a folder that a person wrote, by their paths from the root. */
export function sourceFiles(root: string, folder: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.ts') && !file.includes('generated'))
    .map(file => join(folder, file))
    .sort()
}

/** Reads the names, doc comments and texts of a source. */
export function readVocabulary(root: string, file: string): Vocabulary {
  const tree = parse(readFileSync(join(root, file), 'utf8'), {
    sourceType: 'module',
    plugins: ['typescript'],
    attachComment: false,
  })
  const functions: Declared[] = []
  const types: Declared[] = []
  const strings: SourceText[] = []
  visit(tree.program, { exported: false, thrown: false })
  const comments = (tree.comments ?? [])
    .filter(({ type, value }) => type === 'CommentBlock' && value.startsWith('*'))
    .map(({ value, loc }) => ({ file, line: loc?.start.line ?? 0, text: unwrapped(value) }))
  return {
    functions,
    types,
    comments,
    strings: strings.filter(({ text }) => /[a-z]{2,}[,:;]? +[\w"'`(…]/i.test(text)),
  }

  function visit(node: unknown, around: { readonly exported: boolean; readonly thrown: boolean }): void {
    if (Array.isArray(node)) for (const one of node) visit(one, around)
    if (!isNode(node)) return
    declare(node, around.exported)
    const text = textOf(node)
    if (text !== undefined)
      strings.push({
        file,
        line: node.loc.start.line,
        text,
        ...(around.thrown && { isThrown: true as const }),
      })
    const exported =
      node.type === 'ExportNamedDeclaration' || (around.exported && node.type === 'VariableDeclaration')
    const thrown = around.thrown || node.type === 'ThrowStatement'
    for (const [key, value] of Object.entries(node)) if (key !== 'loc') visit(value, { exported, thrown })
  }

  function declare(node: Node, exported: boolean): void {
    const { id, init, type } = node
    if (!isNode(id) || typeof id['name'] !== 'string') return
    const declared = { file, line: node.loc.start.line, name: id['name'], exported }
    if (type === 'FunctionDeclaration' || (isNode(init) && functionTypes.has(init.type)))
      functions.push(declared)
    if (declaredTypes.has(type)) types.push(declared)
  }
}

const functionTypes: ReadonlySet<string> = new Set(['ArrowFunctionExpression', 'FunctionExpression'])
const declaredTypes: ReadonlySet<string> = new Set([
  'TSInterfaceDeclaration',
  'TSTypeAliasDeclaration',
  'ClassDeclaration',
])

interface Node extends Readonly<Record<string, unknown>> {
  readonly type: string
  readonly loc: { readonly start: { readonly line: number } }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'loc' in value
}

/** The text of a literal; what is filled into a template is an ellipsis. */
function textOf(node: Node): string | undefined {
  if (node.type === 'StringLiteral') return String(node['value'])
  if (node.type !== 'TemplateLiteral' || !Array.isArray(node['quasis'])) return undefined
  return node['quasis']
    .map(({ value }: { readonly value: { readonly cooked: string } }) => value.cooked)
    .join('…')
}

function unwrapped(comment: string): string {
  return comment
    .replace(/\s*\n\s*\*?\s*/g, ' ')
    .replace(/^\*\s*/, '')
    .trim()
}
