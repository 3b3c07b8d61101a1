import { type LimitKind, limitKinds, readLimits } from './limits.js'
import { formatCode, formatNotice, formatTable } from './markdown.js'

/** Builds `docs/reference/limits.md`: the limits of tries, pauses, polls and deadlines, by their kind. */
export function buildLimitsPage(root: string): string {
  const limits = readLimits(root)
  const kinds = Object.entries(limitKinds) as readonly (readonly [LimitKind, string])[]
  return [
    formatNotice('the constants in src/ and packages/fleet/src/'),
    '',
    '# Limits',
    '',
    'These limits are fixed, unless the table names an option. [The command line](cli.md) lists the defaults of options.',
    '',
    ...kinds.flatMap(([kind, meaning]) => [
      `## ${kind.charAt(0).toUpperCase()}${kind.slice(1)}`,
      '',
      meaning,
      '',
      ...formatTable(
        ['for', 'limit', 'source'],
        limits
          .filter(limit => limit.kind === kind)
          .map(limit => [limit.meaning, formatValue(limit.name, limit.value), formatCode(limit.file)]),
      ),
      '',
    ]),
  ].join('\n')
}

/** Formats a value of the source: times as durations, counts unchanged. */
function formatValue(name: string, value: string): string {
  const written = value.replaceAll(/[[\]{}:]/g, '').trim()
  if (!name.endsWith('Ms')) return written
  return written.replaceAll(/\d[\d_]*(?: \* \d[\d_]*)*/g, product =>
    formatTime(
      product
        .split(' * ')
        .map(factor => Number(factor.replaceAll('_', '')))
        .reduce((all, factor) => all * factor, 1),
    ),
  )
}

function formatTime(milliseconds: number): string {
  const units = [
    [3_600_000, 'h'],
    [60_000, 'min'],
    [1000, 's'],
  ] as const
  const [size, name] = units.find(([unit]) => milliseconds % unit === 0) ?? ([1, 'ms'] as const)
  return `${milliseconds / size} ${name}`
}
