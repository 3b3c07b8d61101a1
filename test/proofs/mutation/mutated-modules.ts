/** A part of the sources in which no mutant is to live, and the tests that are to kill them. */
export interface MutatedModule {
  readonly name: string
  /** Below `src/`, without their ends. */
  readonly files: readonly string[]
  /** Below `test/`: those that run in one process, the quickest first, for the rest is left out once one has failed. */
  readonly tests: readonly string[]
  /** Of a hundred mutants so many must be killed, where it is another number than `leastScore`. */
  readonly least?: number
  /** Looked at by the short form, too. */
  readonly isShort?: true
}

/** Of a hundred mutants so many must be killed in each module that asks for no other number. */
export const leastScore = 85

const proofs = ['proofs/sim', 'proofs/situations']

/** What a mistake in would cost most: what performs a plan, what is kept of it, and what keeps secrets out of sight. */
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
      'client/sign-in',
      'client/site-operator',
      'operations/*',
    ],
  },
  // What it is now; much of it words a refusal, and `test/cli/named-files.test.ts` attacks it.
  { name: 'secrets', least: 78, files: ['secrets/*'], tests: ['secrets/*', 'client/sign-in-provider'] },
  {
    name: 'journal',
    least: 89,
    // What speaks with git is held by the tests that have one, and by `concurrency` and `syscalls`.
    files: ['plan/submission', 'apply/journal', 'state/!(git-*)'],
    tests: ['state/*', 'apply/*', 'plan/*', ...proofs, 'cli/state/*'],
  },
  { name: 'executor', least: 90, files: ['apply/**/*'], tests: ['apply/**/*', ...proofs] },
]
