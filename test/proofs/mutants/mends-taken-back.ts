import type { Mutants } from './mutant.js'

/** Mistakes that were in the sources once, and were mended: each mend is taken back, and the test that came with it finds it. */
export const mendsTakenBack: Mutants = {
  'sends though the run was stopped before the first byte': {
    file: 'src/apply/submit-configuration.ts',
    from: "  if (signal.aborted) return { kind: 'interrupted' }\n  return confirmed.ok",
    to: '  return confirmed.ok',
    by: ['jest', 'apply/failed-promise'],
  },
  'waits for a request whose promise could not be written': {
    file: 'src/apply/submit-configuration.ts',
    from: "    await takeBack()\n    return ended({ kind: 'not-recorded'",
    to: "    return ended({ kind: 'not-recorded'",
    by: ['jest', 'apply/failed-promise'],
  },
  'counts by the clock of another machine': {
    file: 'src/apply/clear-submission.ts',
    from: 'return since.of === now.of && since.ms <= now.ms',
    to: 'return since.ms <= now.ms',
    by: ['jest', 'apply/clear-submission'],
  },
  'waits for ever on a machine that was put back': {
    file: 'src/apply/clear-submission.ts',
    from: 'return since.of === now.of && since.ms <= now.ms',
    to: 'return since.of === now.of',
    by: ['jest', 'apply/clear-submission'],
  },
  'takes a request back that moved since it was read': {
    file: 'src/apply/clear-submission.ts',
    from: 'submission?.nonce === nonce && submission.state === was',
    to: 'submission?.nonce === nonce',
    by: ['jest', 'apply/clear-submission'],
  },
  'keeps on record what a request promised that was taken back': {
    file: 'src/apply/journal.ts',
    from: "const known = state === 'acknowledged' ||",
    to: "const known = state === 'cleared' || state === 'acknowledged' ||",
    by: ['jest', 'apply/clear-submission'],
  },
  'looks for a minute without a pause': {
    file: 'src/apply/prove-not-begun.ts',
    from: '    await clock.sleep(betweenMs, signal)\n',
    to: '',
    by: ['jest', 'apply/clear-submission'],
  },
  'takes a look that was lost for a no': {
    file: 'src/apply/prove-not-begun.ts',
    from: 'lost > maxLost ||',
    to: 'lost > 0 ||',
    by: ['jest', 'apply/clear-submission'],
  },
  'takes a process of another boot for dead': {
    file: 'src/state/process-identity.ts',
    from: "const placeFacts = ['host', 'machine', 'boot', 'namespace'] as const",
    to: "const placeFacts = ['host', 'machine', 'namespace'] as const",
    by: ['jest', 'state/process-identity'],
  },
  'calls a process dead of which it knows only the number': {
    file: 'src/state/process-identity.ts',
    from: "const gone = isVisible ? 'dead' : 'elsewhere'",
    to: "const gone = isVisible || holder.boot === undefined ? 'dead' : 'elsewhere'",
    by: ['jest', 'state/process-identity'],
  },
  'says of a run whose hold had ended that it is gone': {
    file: 'src/state/state-store.ts',
    from: "isGone = backend.guard === undefined && liveness === 'dead'",
    to: 'isGone = true',
    by: ['jest', 'state/state-store'],
  },
  'sends without seeing that its promise still stands': {
    file: 'src/apply/submit-configuration.ts',
    from: '  return confirmed.ok ? undefined :',
    to: '  return confirmed.ok || held.lock.fence > 0 ? undefined :',
    by: ['jest', 'apply/failed-promise'],
  },
  'forgets between two runs what it saw of a remote': {
    file: 'src/state/git-backend.ts',
    from: '[seen?.[0], noted].some(',
    to: '[seen?.[0]].some(',
    by: ['jest', 'state/git-backend'],
  },
  'performs a plan of another manifest than the one that was named': {
    file: 'src/cli/plan/planned-manifest.ts',
    from: 'if (named === real) return undefined',
    to: 'if (named !== undefined) return undefined',
    by: ['jest', 'cli/saved-plan'],
  },
  'opens whatever manifest a plan names': {
    file: 'src/cli/plan/planned-manifest.ts',
    from: 'if (isNear || real === undefined) return undefined',
    to: "if (isNear || given.file !== '') return undefined",
    by: ['jest', 'cli/saved-plan'],
  },
  'waits for whoever writes to a pipe in place of state': {
    file: 'src/state/private-file.ts',
    from: 'constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK',
    to: 'constants.O_RDONLY | constants.O_NOFOLLOW',
    by: ['jest', 'state/file-backend'],
  },
  'keeps state in a folder of the system that a link leads to': {
    file: 'src/state/private-file.ts',
    from: 'return !isWritable && (await',
    to: "return !isWritable && path === '' && (await",
    by: ['jest', 'state/file-backend'],
  },
  'waits for whoever writes to a pipe': {
    file: 'src/secrets/file-jail.ts',
    from: 'constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK',
    to: 'constants.O_RDONLY | constants.O_NOFOLLOW',
    by: ['jest', 'secrets/file-jail'],
  },
  'takes a folder that another run has just made for a link': {
    file: 'src/state/private-file.ts',
    from: `    return there.isSymbolicLink()
      ? unreadable(path, 'it is a link that leads nowhere')
      : hasPrivateFolder(disk, path, look)`,
    to: "    return unreadable(path, 'it is a link that leads nowhere')",
    by: ['jest', 'state/file-backend'],
  },
  'keeps all that the service says': {
    file: 'src/apply/journal.ts',
    from: 'return text.length > mostCharacters ?',
    to: 'return text.length > mostCharacters ** 3 ?',
    by: ['jest', 'apply/whose-configuration'],
  },
  'undoes what another wrote, by sending a policy again': {
    file: 'src/apply/update-policy.ts',
    from: 'if (signal.aborted || canonical(now.upgradeConfig) !== canonical(request.upgradeConfig)) return reply',
    to: 'if (signal.aborted) return reply',
    by: ['jest', 'apply/update-policy'],
  },
  'takes a write of its own for that of another': {
    file: 'src/state/held-state.ts',
    from: '    if (added.ok && added.value === undefined) {\n      // A write',
    to: "    if (added.ok && added.value === undefined && nonce === '') {\n      // A write",
    by: ['jest', 'state/lost-write'],
  },
  'records the configuration of somebody else': {
    file: 'src/apply/follow-configuration.ts',
    from: 'if (submission === undefined || !mayBeOurs(submission))\n    return how',
    to: 'if (submission === undefined)\n    return how',
    by: ['jest', 'apply/whose-configuration', 'apply/settled'],
  },
  'reads the beginning of a property file': {
    file: 'src/migrate/read-properties.ts',
    from: 'if (source.bytes.byteLength > caps.bytes)',
    to: 'if (source.bytes.byteLength > caps.bytes * 2)',
    by: ['jest', 'migrate/read-properties'],
  },
  'takes an address with two slashes in a row': {
    file: 'src/manifest/site-url.ts',
    from: "  if (/\\/\\/[^/]/.test(url.pathname)) return 'holds two slashes in a row'\n",
    to: '',
    by: ['jest', 'manifest/site-url'],
  },
  'reads one document of several': {
    file: 'src/manifest/yaml-document.ts',
    from: 'others.find(one =>',
    to: 'others.slice(0, 1).find(one =>',
    by: ['jest', 'manifest/yaml-document'],
  },
  'watches tests that are not there': {
    file: 'src/cli/testing/report-tests.ts',
    from: 'if (!argv.watch || once.tested.length === 0)',
    to: 'if (!argv.watch)',
    by: ['jest', 'cli/testing/reports'],
  },
  'tests without a policy that was named': {
    file: 'src/cli/testing/test-once.ts',
    from: 'if (absent !== undefined)',
    to: "if (absent === '')",
    by: ['jest', 'cli/testing/reports'],
  },
  'takes a plan with previews for an altered one': {
    file: 'src/plan/saved/saved-plan.ts',
    from: 'const { id, placement, storage, ...content } = value',
    to: 'const { id, ...content } = value',
    by: ['jest', 'cli/plan/cluster-preview'],
  },
  'mends a file and loses its rights': {
    file: 'src/cli/fix-files.ts',
    from: '    chmodSync(beside, mode)\n',
    to: '',
    by: ['jest', 'cli/fix.test'],
  },
  'takes a key to sign with and signs nothing': {
    file: 'src/cli/commands/plan.ts',
    from: "    if (out === undefined && argv['sign-key'] !== undefined)\n",
    to: "    if (out === '' && argv['sign-key'] !== undefined)\n",
    by: ['jest', 'cli/fleet/many-sites'],
  },
}
