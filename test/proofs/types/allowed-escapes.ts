import type { EscapeKind } from './escapes.js'

/** Ways around the types that have a reason. There may be fewer of them, never more. */
export const allowedEscapes: readonly {
  readonly kind: EscapeKind
  readonly file: string
  readonly count: number
  readonly because: string
}[] = [
  ...(
    [
      ['src/manifest/load-manifest.ts', 'the compiled validator took it'],
      ['src/policy/load-policy.ts', 'the compiled validator took it'],
      ['src/manifest-tests/load-tests.ts', 'the compiled validator took it'],
      ['src/cli/emulator/emulator-options.ts', 'the compiled validator took it'],
      ['src/client/site-operator.ts', 'the compiled validator took it'],
      ['src/plan/saved/saved-plan.ts', 'its form was looked at before'],
      ['src/plan/placement/nodes.ts', 'each field is looked at before it is used'],
      ['src/apply/journal.ts', 'its keys are those of the record that it is made of'],
      ['src/client/connection.ts', 'undici takes more kinds of bodies than it declares'],
    ] as const
  ).map(([file, because]) => ({ kind: 'double assertion' as const, file, count: 1, because })),
  ...(
    [
      ['src/plan/compare/differences.ts', 1],
      ['src/plan/placement/nodes.ts', 1],
      ['src/client/site-reader.ts', 1],
      ['src/client/wire/configure-parts.ts', 1],
      ['src/report/field-rows.ts', 1],
      ['src/github-action/comment.ts', 1],
      ['src/cli/plan/cluster-preview.ts', 1],
      ['src/cli/terminal/process-host.ts', 1],
      ['src/schema/json-schema.ts', 2],
    ] as const
  ).map(([file, count]) => ({
    kind: 'name without a type' as const,
    file,
    count,
    because:
      'what comes from a list, an object or a stream of the platform has none, and is looked at where it comes from',
  })),
]
