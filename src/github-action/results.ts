/** A word for each exit code, for conditions of later steps that people can read. */
const results: Readonly<Record<number, string>> = {
  0: 'done',
  2: 'changes',
  3: 'in-progress',
  4: 'unknown',
  5: 'service-failed',
  6: 'stale',
  7: 'locked',
  64: 'usage',
  65: 'invalid',
  66: 'missing',
  69: 'unreachable',
  70: 'internal',
  74: 'state',
  75: 'trouble',
  77: 'permission',
  78: 'refused',
  129: 'hung-up',
  130: 'interrupted',
  141: 'broken-pipe',
  143: 'terminated',
}

/** Names an exit code for the output `result`. */
export function nameResult(exitCode: number): string {
  return results[exitCode] ?? 'internal'
}
