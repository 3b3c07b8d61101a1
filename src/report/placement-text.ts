import type { NodeVerdict } from '../plan/placement/node-verdict.js'
import { type PlacementPreview, refusingNodes, takingNodes } from '../plan/placement/preview.js'
import { reasonsOf } from '../plan/placement/words.js'
import { display } from './display.js'
import type { Paint } from './paint.js'

/** More nodes than that nobody reads; the JSON document has them all. */
const mostNodes = 10
const mostReasons = 2
const mostCharacters = 240

/** Which nodes take upgrade pods, for people, and why the others do not: the nearest first. Ends with a line break. */
export function formatPlacement(preview: PlacementPreview, paint: Paint): string {
  const taking = takingNodes(preview)
  const refusing = refusingNodes(preview)
  const colour = taking.length === 0 ? 'red' : 'green'
  return [
    `${paint('bold', 'Upgrade pods')}: ${paint(colour, headOf(preview, taking.length))}`,
    ...(preview.policy === 'none'
      ? ['  The manifest has no placement policy, so nothing but taints restricts them here.']
      : []),
    ...(taking.length > 0 ? [`  ${paint('green', '+')} ${namesOf(taking)}`] : []),
    ...rowsOf(refusing, paint),
    ...preferenceOf(taking),
    ...unreadyOf(taking),
    '',
  ].join('\n')
}

/** How many nodes take upgrade pods, in words of Landform. */
export function headOf({ policy, verdicts: { length } }: PlacementPreview, taking: number): string {
  const does = policy === 'none' ? 'take pods without tolerations' : 'satisfy the policy'
  return `${taking} of ${length} nodes ${does}.`
}

function rowsOf(refusing: readonly NodeVerdict[], paint: Paint): readonly string[] {
  // One more row says nothing shorter than the node itself.
  const shown = refusing.length <= mostNodes + 1 ? refusing : refusing.slice(0, mostNodes)
  const names = shown.map(({ node }) => display(node))
  const width = Math.min(44, Math.max(0, ...names.map(({ length }) => length)))
  const rest = refusing.length - shown.length
  return [
    ...shown.map((one, at) => `  ${paint('red', '-')} ${(names[at] ?? '').padEnd(width)}  ${whyNot(one)}`),
    ...(rest > 0 ? [`  … and ${rest} more nodes do not`] : []),
  ]
}

function whyNot(verdict: NodeVerdict): string {
  const reasons = reasonsOf(verdict)
  const rest = reasons.length - mostReasons
  const shown = reasons.slice(0, mostReasons).map(reason => display(reason, mostCharacters))
  return `${shown.join('; ')}${rest > 0 ? `; and ${rest} more` : ''}`
}

/** A preference is never a reason to refuse, so it is told of those that take the pods. */
function preferenceOf(taking: readonly NodeVerdict[]): readonly string[] {
  if (taking.every(({ preferred }) => preferred === undefined)) return []
  const matching = taking.filter(({ preferred }) => preferred === true)
  const names = matching.length === 0 ? '' : `: ${namesOf(matching)}`
  return [`  Preferred: ${matching.length} of these ${taking.length}${names}. A preference refuses no node.`]
}

/** The scheduler looks at taints, and a node that is not ready gets one soon. */
function unreadyOf(taking: readonly NodeVerdict[]): readonly string[] {
  const unready = taking.filter(({ ready }) => ready === false)
  return unready.length === 0 ? [] : [`  Not ready now, though without the taint for it: ${namesOf(unready)}`]
}

function namesOf(verdicts: readonly NodeVerdict[]): string {
  const shown = verdicts.slice(0, mostNodes).map(({ node }) => display(node))
  const rest = verdicts.length - shown.length
  return `${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}
