import { hostileMarkup } from '../../support/hostile-markup.js'
import type { Mutants } from './mutant.js'

const meeting = ['concurrency', '--only', 'hosts', '--seed', '5', '--hosts'] as const
const time = ['time', '--seed', '5'] as const
const secrets = ['secrets', '--seed', '1'] as const
const attack = ['files', '--places', '1', '--seed', '1', '--only'] as const
/** The one text that shows the mistake, by its number, which others before it change. */
const text = (shows: string) =>
  ['output', '--texts', '1', '--piped', '0', '--from', `${hostileMarkup.indexOf(shows)}`] as const

/**
 * Mistakes that a check is to find by itself, each as cheaply as it can: so it is shown of each that it finds more than what
 * it planted. Jest finds some of them, too.
 */
export const foundByChecks: Mutants = {
  'leaves a promise that could not be written': {
    file: 'src/apply/submit-configuration.ts',
    from: "    await takeBack()\n    return endWith({ kind: 'not-recorded'",
    to: "    call.value.discard()\n    return endWith({ kind: 'not-recorded'",
    by: ['sim', '--case', 'a-promise-is-left-behind'],
    isShort: true,
  },
  'takes a write of its own that was said to fail for that of another': {
    file: 'src/state/held-state.ts',
    from: 'if (newest.value?.state.lock?.nonce === nonce) added',
    to: 'if (newest.value?.state.lock?.nonce === undefined) added',
    by: ['sim', '--case', 'an-own-write-is-taken-for-anothers'],
  },
  'flushes only the folders that it made': {
    file: 'src/state/create-file.ts',
    from: '    outer !== inner;',
    to: '    outer !== inner && inner.length >= first.length;',
    by: ['sim', '--case', 'a-made-folder-is-lost'],
  },
  'lets a version outlive the one before it': {
    file: 'src/state/file-backend.ts',
    from: 'else if (count.value !== flushed) await flushFolder(disk, folder)',
    to: '',
    by: ['jest', 'proofs/disk'],
  },
  'takes a process that was killed for one that lives': {
    file: 'src/state/process-identity.ts',
    from: 'if (!table.isThere(holder.pid)) return gone',
    to: "if (!table.isThere(holder.pid)) return 'alive'",
    by: ['kill', '--only', 'file 0 18 before add 3'],
  },
  'sends again what a run that was killed had sent': {
    file: 'src/plan/planner.ts',
    from: 'if (submission !== undefined && isPending(submission))',
    to: "if (submission !== undefined && submission.state === 'acknowledged')",
    by: ['kill', '--only', 'file 4000 16 sent 300 ms ago'],
  },
  'flushes the folder of a version, and not the version': {
    file: 'src/state/create-file.ts',
    from: '      await file.sync()\n',
    to: '',
    by: [
      'syscalls',
      ...['--writer', '30', '--apply', '1', '--kills', '1', '--controls', '0', '--disks', '1', '--seed', '5'],
    ],
  },
  'takes a site from another machine before its lease is over': {
    file: 'src/state/state-store.ts',
    from: "if (liveness !== 'elsewhere') return liveness === 'dead'",
    to: "if (liveness !== 'alive') return true",
    by: [...meeting, '3'],
  },
  'writes on after another machine took the site over': {
    file: 'src/state/held-state.ts',
    from: 'if (newest.value?.state.lock?.nonce === nonce) added',
    to: "if (newest.value !== undefined && nonce !== '') added",
    by: [...meeting, '9'],
  },
  'takes the version of another process for its own': {
    file: 'src/state/create-file.ts',
    from: 'return one.ino === other.ino && one.dev === other.dev',
    to: 'return one.dev === other.dev',
    by: ['concurrency', '--only', 'numbers', '--numbers', '4'],
  },
  'makes a number in a database that is taken': {
    file: 'packages/fleet/src/state/postgres-backend.ts',
    from: '     on conflict do nothing returning serial',
    to: '     on conflict (site, serial) do update set body = excluded.body returning serial',
    by: ['database', '--only', 'numbers', '--numbers', '4'],
  },
  'judges a session that the server has just lost': {
    file: 'packages/fleet/src/database/session-rows.ts',
    from: 'and (s.beat_at > $',
    to: 'and (true or s.beat_at > $',
    by: ['jest', 'fleet/session'],
  },
  'leaves its connection to a session that is dead': {
    file: 'packages/fleet/src/database/session-rows.ts',
    from: 'if (backend !== null) await endBackend(runner, backend as number)',
    to: '',
    by: ['jest', 'fleet/session'],
  },
  'keeps its guard where the last word cannot be written': {
    file: 'src/state/guard.ts',
    from: '        await release()\n',
    to: '',
    by: ['jest', 'state/guard'],
  },
  'ends with 0 where a stage failed': {
    file: 'src/cli/exit-code-of.ts',
    from: `    case 'site-failed':
      return exitCodes.serviceFailed`,
    to: `    case 'site-failed':
      return exitCodes.done`,
    by: ['faults', '--form', 'first', '--only', 'F40'],
  },
  'works on all sites of a folder at once': {
    file: 'src/cli/fleet/site-host.ts',
    from: 'Math.min(concurrency, items.length)',
    to: 'Math.max(concurrency, items.length)',
    by: ['sites', '--sites', '40'],
  },
  'begins a wave of a fleet after one in which a site failed': {
    file: 'packages/fleet/src/model/waves.ts',
    from: "state === 'done' || state === 'cancelled'",
    to: "state === 'done' || state.length > 0",
    by: ['fleet-sim', '--seeds', '100', '--sites', '50'],
  },
  'applies what the worker has in place of what was submitted': {
    file: 'packages/fleet/src/workflow/open-run-site.ts',
    from: 'if (digest !== order.digest)',
    to: "if (digest === '')",
    by: ['jest', 'fleet/apply-run'],
  },
  'writes what a site repeats into the database of a fleet': {
    file: 'packages/fleet/src/workflow/open-run-site.ts',
    from: 'siteWriter(site.url, provideToken, site.route)',
    to: 'siteWriter(site.url, provideToken, { ...site.route, redactor: async () => text => text })',
    by: ['jest', 'fleet/apply-run'],
  },
  'counts the time in which it stood still at its work': {
    file: 'src/apply/wait/waking-time.ts',
    from: '    if (sinceMs >= maxWorkMs) lose(sinceMs)\n',
    to: '',
    by: time,
  },
  'thinks that clocks are never apart': {
    file: 'src/state/state-store.ts',
    from: 'const clockSkewMs = 2 * 60_000',
    to: 'const clockSkewMs = 0',
    by: time,
  },
  'waits for as long as a service asks': {
    file: 'src/client/answer-headers.ts',
    from: 'Math.min(Math.max(askedMs, bounds.leastMs), bounds.mostMs)',
    to: 'Math.max(askedMs, bounds.leastMs)',
    by: time,
  },
  'never takes a lease that is over': {
    file: 'src/state/state-store.ts',
    from: 'return lock.expiresAt !== undefined && Date.parse(lock.expiresAt) + clockSkewMs <= now',
    to: 'return false',
    by: ['resume', '--only', 'none / ready / expired lease'],
  },
  'prints a command that names another lock': {
    file: 'src/cli/site/next-commands.ts',
    from: "...kept, '--nonce', nonce",
    to: "...kept, '--nonce', nonce.slice(1)",
    by: ['resume', '--only', 'none / ready / elsewhere'],
  },
  'shows the message of an exception': {
    file: 'src/cli/main.ts',
    from: 'const { name, stack',
    to: 'const { message: name, stack',
    by: ['exit', '--only', 'crashes'],
    isShort: true,
  },
  'takes a second signal for an order to be done': {
    file: 'src/cli/terminal/process-host.ts',
    from: '    process.kill(process.pid, signal)\n',
    to: '    process.exit(0)\n',
    by: ['exit', '--only', 'signals', '--every', '32', '--seed', '20'],
  },
  'sends a plus sign as it is': {
    file: 'src/client/wire/form.ts',
    from: '[0x2d, 0x2e,',
    to: '[0x2b, 0x2d, 0x2e,',
    by: ['multipart', '--only', 'parsers', '--requests', '4', '--seed', '1'],
  },
  'believes whoever answers by TLS': {
    file: 'src/client/connection.ts',
    from: 'rejectUnauthorized: true',
    to: 'rejectUnauthorized: false',
    by: ['tls', '--seed', '1'],
  },
  'allows an origin that is only longer': {
    file: 'src/cli/site/site-policy.ts',
    from: '!allowed.includes(origin)',
    to: '!allowed.some(one => origin.startsWith(one))',
    by: ['redirect', '--only', 'addresses', '--seed', '1'],
  },
  'asks at a name that may lead elsewhere': {
    file: 'src/client/forbidden-address.ts',
    from: 'addresses.some(isForbidden)',
    to: 'addresses.every(isForbidden)',
    by: ['redirect', '--only', 'names'],
    isShort: true,
  },
  'answers who names two hosts': {
    file: 'src/live-page/request-origin.ts',
    from: 'more.length > 0 ? undefined',
    to: 'more.length > 9 ? undefined',
    by: ['emulator', '--seed', '1'],
  },
  'gives git the secrets of the site': {
    file: 'src/state/git-program.ts',
    from: '/^(?:LANDFORM_.*|GIT_',
    to: '/^(?:GIT_',
    by: [...secrets, 'git'],
  },
  'looks with the token in the address': {
    file: 'src/client/site-reader.ts',
    from: '?f=json`, route,',
    to: "?f=json`.concat(token ? '&token='.concat(encodeURIComponent(token.bytes.toString())) : ''), route,",
    by: [...secrets, 'commands'],
  },
  'keeps the secrets of a request as long as it waits': {
    file: 'src/apply/configure-site.ts',
    from: '    wipeAll(context.secrets)\n',
    to: '',
    by: [...secrets, 'memory'],
  },
  'keeps a secret as JSON has it': {
    file: 'src/client/redact/traces.ts',
    from: '    quoted.fill(0)\n',
    to: '',
    by: [...secrets, 'memory'],
  },
  'binds a plan to a password': {
    file: 'src/secrets/bind-files.ts',
    from: '      licenses[file.pointer] = found\n',
    to: `      licenses[file.pointer] = found
      const { resolve } = await import('./resolve.js')
      const { computeDigest } = await import('../manifest/digest.js')
      const { password: reference } = organization.administrator
      const other = await resolve([{ kind: 'secret', pointer: '/spec/administrator/password', reference }], source)
      if (other.ok) for (const { bytes: guessed } of other.value.secrets.values()) digests['a password'] = computeDigest(guessed)
`,
    by: [...secrets, 'same'],
  },
  'shows what a site repeats when it exports': {
    file: 'src/client/site-operator.ts',
    from: 'if (!result.ok) return redactReply(result, redact)',
    to: 'if (!result.ok) return result',
    by: [...secrets, 'echo'],
  },
  'shows what a site repeats backwards': {
    file: 'src/client/redact/secret-parts.ts',
    from: 'for (const turned of [codes, codes.toReversed()]) {',
    to: 'for (const turned of [codes]) {',
    by: [...secrets, 'spellings'],
  },
  'decodes what a site repeats once': {
    file: 'src/client/redact/decoded.ts',
    from: 'const maxLayers = 4',
    to: 'const maxLayers = 1',
    by: [...secrets, 'spellings'],
  },
  'shows what a site repeats later': {
    file: 'src/client/site-reader.ts',
    from: 'redactObservation(seen, await createRouteRedactor(route, seen))',
    to: 'seen',
    by: [...secrets, 'echo'],
  },
  'follows a folder that is a link': {
    file: 'src/secrets/file-jail.ts',
    from: 'const real = await realpath(join(root, path))',
    to: 'const real = join(root, path)',
    by: [...attack, 'a link in the middle'],
  },
  'reads below a folder whose name begins like ours': {
    file: 'src/secrets/file-jail.ts',
    from: 'root.endsWith(sep) ? root : root + sep',
    to: 'root',
    by: [...attack, 'a link to a folder whose name begins like ours'],
  },
  'ends a span of Markdown where the text does': {
    file: 'src/report/markdown.ts',
    from: "'`'.repeat(longest + 1)",
    to: "'`'.repeat(Math.max(1, longest))",
    by: text('`[x](https://evil.example)`'),
  },
  'lets a text end the cell of a table': {
    file: 'src/report/markdown.ts',
    from: "slash === '' ? '\\\\|' :",
    to: "slash === '' ? '|' :",
    by: text('` | [x](https://evil.example) | `'),
  },
  'lets a text begin an element': {
    file: 'src/report/html.ts',
    from: `replaceAll(/[&<>"']/g`,
    to: `replaceAll(/[&>"']/g`,
    by: text('<script>alert(1)</script>'),
  },
  'prints what runners obey': {
    file: 'src/report/display.ts',
    from: '|(?<=#)#(?=\\w*\\[)/gu',
    to: '/gu',
    by: text('##[error]x'),
  },
  'performs a plan for which nobody looked': {
    file: 'src/plan/planner.ts',
    from: "observed.assumed ? 'not-observed' : observed.kind",
    to: 'observed.kind',
    by: ['jest', 'cli/plan/offline'],
  },
  'takes a site that was begun for a new one': {
    file: 'src/plan/assumed.ts',
    from: "begun: 'in-progress'",
    to: "begun: 'not-configured'",
    by: ['jest', 'plan/assumed'],
  },
  'gives up where Node may not look at a folder above': {
    file: 'src/library/manifest-root.ts',
    from: '    return undefined\n  }',
    to: "    throw new Error('denied')\n  }",
    by: ['jest', 'cli/sandbox'],
  },
  'leaves the sites of a dead worker alone': {
    file: 'packages/fleet/src/worker/orphans.ts',
    from: 'of await session.removeDead(others))',
    to: 'of (await session.removeDead(others)).slice(1))',
    by: ['fleet'],
  },
  'lets a fleet tell what a site repeats': {
    file: 'src/library/assemble-site.ts',
    from: '{ ...reached.value, redactor: createManifestRedactor(manifest, files) }',
    to: 'reached.value',
    by: [...secrets, 'fleet'],
  },
}
