import { type Node, SyntaxKind } from 'typescript/unstable/ast'
import { API } from 'typescript/unstable/sync'

/** A way around the types. */
export type EscapeKind =
  | 'any'
  | 'double assertion'
  | 'assertion of presence'
  | 'silenced compiler'
  | 'name without a type'

/** Where one of them stands. */
export interface Escape {
  readonly kind: EscapeKind
  readonly file: string
  readonly line: number
}

/** Of the flags of a type, the one that says that nothing is known of it. */
const anyFlag = 1

/** Every way around the types in the files of a project that are chosen, in its own words and in what comes out of them. */
export function escapesIn(
  config: string,
  isChosen: (file: string) => boolean,
): { readonly files: number; readonly escapes: readonly Escape[] } {
  const api = new API({ cwd: process.cwd() })
  try {
    const [project] = api.updateSnapshot({ openProject: config }).getProjects()
    if (project === undefined) throw new Error(`${config} is no project`)
    const chosen = project.program.getSourceFileNames().filter(isChosen)
    const escapes: Escape[] = []
    for (const file of chosen) {
      const source = project.program.getSourceFile(file)
      if (source === undefined) continue
      const { text } = source
      const lineAt = (position: number) => text.slice(0, position).split('\n').length
      const add = (kind: EscapeKind, position: number) => escapes.push({ kind, file, line: lineAt(position) })
      const names: Node[] = []
      const visit = (node: Node): void => {
        const kind = kindOf(node)
        if (kind !== undefined) add(kind, node.end)
        if (isNamed(node) && node.name !== undefined) names.push(node.name)
        node.forEachChild(visit)
      }
      visit(source)
      for (const [at, type] of project.checker.getTypeAtLocation(names).entries())
        if (type !== undefined && (type.flags & anyFlag) !== 0)
          add('name without a type', names[at]?.end ?? 0)
      for (const { index } of text.matchAll(/^\s*\/[/*]\s*@ts-(?:ignore|expect-error|nocheck)/gm))
        add('silenced compiler', index)
    }
    return { files: chosen.length, escapes }
  } finally {
    api.close()
  }
}

function kindOf(node: Node): EscapeKind | undefined {
  if (node.kind === SyntaxKind.AnyKeyword) return 'any'
  if (node.kind === SyntaxKind.NonNullExpression) return 'assertion of presence'
  if (node.kind !== SyntaxKind.AsExpression) return undefined
  return (node as Node & { readonly expression: Node }).expression.kind === SyntaxKind.AsExpression
    ? 'double assertion'
    : undefined
}

/** A pattern has no type of its own, and a hole in one has no name. */
function isNamed(node: Node): node is Node & { readonly name: Node | undefined } {
  const { kind } = node
  return (
    kind === SyntaxKind.VariableDeclaration ||
    kind === SyntaxKind.Parameter ||
    kind === SyntaxKind.BindingElement ||
    kind === SyntaxKind.PropertySignature
  )
}
