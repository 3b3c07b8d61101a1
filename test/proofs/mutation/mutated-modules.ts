/** A part of the sources, and the tests that must kill its mutants. */
export interface MutatedModule {
  readonly name: string
  /** Paths below `src/`, without extension. */
  readonly files: readonly string[]
  /** Paths below `test/`, without extension, for one process; the fastest first, because a run ends at the first failure. */
  readonly tests: readonly string[]
  /** The least percentage of killed mutants, if it is not `leastScore`. */
  readonly least?: number
  /** True if the short form includes it. */
  readonly isShort?: true
}

/** The least percentage of killed mutants in most modules. */
export const leastScore = 85

const proofs = ['proofs/sim', 'proofs/situations']

/** The modules where a mistake would cost most: performing plans, recording them, and protecting secrets. */
export const mutatedModules: readonly MutatedModule[] = [
  { name: 'display', files: ['report/display'], tests: ['report/display'], isShort: true },
  {
    name: 'redaction',
    files: ['client/redact/*'],
    tests: ['client/redactor', 'client/withheld'],
  },
  {
    name: 'encoding',
    files: ['client/wire/*', 'client/message'],
    tests: [
      'client/wire/*',
      'client/configure-request',
      'client/message',
      'client/http',
      'client/freshness',
      'client/receive',
      'client/transport',
      'client/site-reader',
      'client/sign-in',
      'client/site-operator',
      'operations/*',
    ],
  },
  // The current score. Much of the code words errors, and `test/cli/named-files.test.ts` attacks it as well.
  { name: 'secrets', least: 78, files: ['secrets/*'], tests: ['secrets/*', 'client/sign-in-provider'] },
  {
    name: 'journal',
    least: 89,
    // Tests with a git remote and the check `concurrency` cover the modules that run git.
    files: ['plan/submission', 'apply/journal', 'state/!(git-*)'],
    tests: ['state/*', 'apply/*', 'plan/*', ...proofs, 'cli/state/*'],
  },
  { name: 'executor', least: 90, files: ['apply/**/*'], tests: ['apply/**/*', ...proofs] },
]
