import type { Mutants } from './mutant.js'

/** Designs that others have, or that one could think of, each as an edit of the sources. */
export const wrongDesigns: Mutants = {
  'sends the body on to where a redirect leads': {
    file: 'src/client/connection.ts',
    from: '    const header = message',
    to: `    if (status === 307 || status === 308) {
      const on = new Client(new URL(firstHeader(headers['location']) ?? '/', message.url).origin)
      await receive(on, request, { signal: limit.signal, maxBytes, begin })
      await on.destroy()
    }
    const header = message`,
    by: ['jest', 'client/http'],
    isShort: true,
  },
  'takes an error after the first byte for nothing sent': {
    file: 'src/client/connection.ts',
    from: 'if (!isBegun) return limit.notSent(error)',
    to: 'if (!isBegun || error !== undefined) return limit.notSent(error)',
    by: ['cuts', '--step', '40'],
    isShort: true,
  },
  'takes a cut answer for a whole one': {
    file: 'src/client/connection.ts',
    from: `        end()
        reject(error)`,
    to: `        const bytes = Buffer.concat(chunks)
        end()
        if (head === undefined) reject(error)
        else resolve({ ...head, bytes })`,
    by: ['jest', 'client/http'],
  },
  'reads an answer of any size': {
    file: 'src/client/connection.ts',
    from: "if (length > maxBytes) controller.abort(createCodeError('ANSWER_TOO_LARGE'))",
    to: 'controller.resume()',
    by: ['jest', 'client/http'],
  },
  'hears no Retry-After': {
    file: 'src/client/answer-headers.ts',
    from: '...(wait !== undefined && { retryAfterMs: wait }),',
    to: '',
    by: ['jest', 'client/http'],
  },
  'says a wrong length of a license in pieces': {
    file: 'src/client/connection.ts',
    from: '(sum, { byteLength }) => sum + byteLength, 0)',
    to: '(_, { byteLength }) => byteLength, 0)',
    by: ['jest', 'client/configure-call', 'client/http'],
  },
  'leaves bytes of a large license out': {
    file: 'src/client/wire/body-pieces.ts',
    from: 'value.subarray(at, at + pieceBytes)',
    to: 'value.subarray(at, at + pieceBytes - 1)',
    by: ['jest', 'client/wire/body-pieces'],
  },
  'reads an answer that came before it asked': {
    file: 'src/client/connection.ts',
    from: "    if (socket.readableLength > 0) throw createCodeError('ANSWERED_BEFORE_ASKED')",
    to: '',
    by: ['jest', 'client/configure-call'],
  },
  'does not verify TLS': {
    file: 'src/client/connection.ts',
    from: 'rejectUnauthorized: true',
    to: 'rejectUnauthorized: false',
    by: ['jest', 'client/http'],
  },
  'connects to where clouds tell credentials': {
    file: 'src/client/connection.ts',
    from: 'if (isForbidden(name)) throw createAddressError()',
    to: '',
    by: ['jest', 'client/route'],
  },
  'takes a 200 of another shape for a yes': {
    file: 'src/client/decode.ts',
    from: 'if (problem === undefined) return read',
    to: 'if (problem === undefined || body !== undefined) return read',
    by: ['jest', 'client/decode.test'],
  },
  'takes a no with a status of trouble for a no': {
    file: 'src/client/is-certain.ts',
    from: "(failure.kind === 'refused' || failure.kind === 'unauthorized') && failure.status < 500",
    to: "failure.kind === 'refused' || failure.kind === 'unauthorized'",
    by: ['jest', 'proofs/sim', '-t', 'whatever goes wrong'],
  },
  'puts the token of an update into the address': {
    file: 'src/client/site-writer.ts',
    from: 'path, body, deadlineMs: deadlinesMs.update',
    to: "path: path.concat('?token=', token?.bytes.toString() ?? ''), body, deadlineMs: deadlinesMs.update",
    by: ['jest', 'client/site-reader'],
  },
  'puts the token of a look into the address': {
    file: 'src/client/site-reader.ts',
    from: '?f=json`, route,',
    to: "?f=json`.concat(token === undefined ? '' : '&token=', token?.bytes.toString() ?? ''), route,",
    by: ['jest', 'client/site-reader'],
  },
  'shows what a site repeats of its secrets': {
    file: 'src/client/site-writer.ts',
    from: 'const redact = await createRedactor()',
    to: 'const redact = (await createRedactor()) && ((text: string) => text)',
    by: ['jest', 'client/configure-call'],
    isShort: true,
  },
  'does not wipe a request that was sent': {
    file: 'src/client/wire/body-pieces.ts',
    from: 'for (const one of copies) one.fill(0)',
    to: '',
    by: ['jest', 'client/wire/body-pieces'],
  },
  'does not wipe a secret': {
    file: 'src/secrets/secret.ts',
    from: 'this.#bytes.fill(0)',
    to: '',
    by: ['jest', 'secrets/secret'],
  },
  'prints a secret': {
    file: 'src/secrets/secret.ts',
    from: `    this.#bytes.fill(0)
  }
`,
    to: `    this.#bytes.fill(0)
  }

  override toString(): string {
    return this.#bytes.toString()
  }
`,
    by: ['jest', 'secrets/secret'],
  },
  'sends the end of a file that has changed': {
    file: 'src/secrets/secret-file.ts',
    from: '(isLast && !(await this.#file.isUnchanged()))',
    to: 'false',
    by: ['jest', 'secrets/secret-file'],
  },
  'takes the same overlay for the same manifest whatever it extends': {
    file: 'src/manifest/siblings.ts',
    from: ' || (one.path !== undefined && findBase(one.path) !== one.base)',
    to: '',
    by: ['jest', 'manifest/siblings'],
  },
  'keeps secrets while it waits for hours': {
    file: 'src/apply/configure-site.ts',
    from: '    wipeAll(context.secrets)\n',
    to: '',
    by: ['jest', 'apply/whose-configuration', 'apply/apply.test'],
  },
  'follows a folder that leads out': {
    file: 'src/secrets/file-jail.ts',
    from: 'const real = await realpath(join(root, path))',
    to: 'const real = join(root, path)',
    by: ['jest', 'secrets/resolve', 'secrets/bind-files'],
    isShort: true,
  },
  'takes a folder with the same beginning for one below': {
    file: 'src/secrets/file-jail.ts',
    from: 'root.endsWith(sep) ? root : root + sep',
    to: 'root',
    by: ['jest', 'secrets/resolve', 'secrets/bind-files'],
  },
  'allows an origin with the same beginning': {
    file: 'src/cli/site/site-policy.ts',
    from: '!allowed.includes(origin)',
    to: '!allowed.some(one => origin.startsWith(one))',
    by: ['jest', 'cli/site/site-policy'],
  },
  'runs where TLS is switched off': {
    file: 'src/cli/site/site-policy.ts',
    from: "!== '0'",
    to: "!== 'never'",
    by: ['faults', '--only', 'F14'],
  },
  'creates a site from CI with state that is thrown away': {
    file: 'src/cli/site/consent.ts',
    from: 'if (!forgetsItsState(plan, state, environment)) return undefined',
    to: "if (!forgetsItsState(plan, state, environment) || state.kind === 'file') return undefined",
    by: ['jest', 'cli/local-state'],
  },
  'sends though its promise could not be written': {
    file: 'src/apply/submit-configuration.ts',
    from: '  if (!intended.ok) {\n',
    to: "  if (!intended.ok && intended.error.kind === 'overtaken') {\n",
    by: ['jest', 'apply/failed-intent'],
  },
  'takes an unknown outcome for a no': {
    file: 'src/apply/submit-configuration.ts',
    from: "isProven(failure) ? 'rejected' : 'unknown'",
    to: "isProven(failure) || failure.kind === 'no-answer' ? 'rejected' : 'unknown'",
    by: ['faults', '--only', 'F19'],
  },
  'takes a bare 403 for a proof': {
    file: 'src/client/is-certain.ts',
    from: 'failure.code !== undefined && ',
    to: '',
    by: ['jest', 'client/answers'],
  },
  'takes the code of a gateway for a no': {
    file: 'src/client/rejection.ts',
    from: 'code !== undefined && isOfGateway(code)',
    to: 'code === 0 && isOfGateway(code)',
    by: ['jest', 'client/answers'],
  },
  'takes a root without a state for a site that was lost': {
    file: 'src/apply/wait/wait-result.ts',
    from: 'if (isSilent(now)) return',
    to: 'if (isSilent(now) && now.stages.length > 0) return',
    by: ['jest', 'client/answers'],
  },
  'looks at no start of a stage': {
    file: 'src/apply/wait/wait-result.ts',
    from: 'const start = findOtherStart(seen.starts, now)',
    to: 'const start = seen.begun ? undefined : findOtherStart(seen.starts, now)',
    by: ['jest', 'apply/wait-until-ready'],
  },
  'sends without looking at the site': {
    file: 'src/apply/submit-configuration.ts',
    from: "return before.value.kind === 'not-configured'",
    to: "return before.value.kind !== 'failed'",
    by: ['jest', 'apply/apply.test', 'proofs/resume'],
  },
  'creates what may be under way': {
    file: 'src/plan/planner.ts',
    from: 'if (submission !== undefined && isPending(submission))',
    to: "if (submission !== undefined && submission.state === 'acknowledged')",
    by: ['jest', 'proofs/resume'],
  },
  'believes an end that is said once': {
    file: 'src/apply/wait/wait-result.ts',
    from: 'const believedAfter = 2',
    to: 'const believedAfter = 1',
    by: ['jest', 'apply/wait-until-ready'],
  },
  'does not renew its lock': {
    file: 'src/apply/configure-site.ts',
    from: '    await held.renew()\n',
    to: '',
    by: ['jest', 'apply/kept-lease'],
  },
  'lets a lock end by its time though its process lives': {
    file: 'src/state/state-store.ts',
    from: "  if (liveness !== 'elsewhere') return liveness === 'dead'\n",
    to: "  if (liveness === 'dead') return true\n",
    by: ['jest', 'state/state-store'],
  },
  'writes on after another run took the site over': {
    file: 'src/state/held-state.ts',
    from: 'if (newest.value?.state.lock?.nonce === nonce) added',
    to: 'if (nonce !== undefined) added',
    by: ['jest', 'state/state-store', 'state/lost-write'],
  },
  'makes a number that is taken': {
    file: 'src/state/create-file.ts',
    from: '    await disk.link(file, path)\n',
    to: "    await (await import('node:fs/promises')).rename(file, path)\n",
    by: ['concurrency', '--only', 'numbers', '--numbers', '4'],
  },
  'leaves state for others to read': {
    file: 'src/state/create-file.ts',
    from: "'wx', 0o600",
    to: "'wx', 0o644",
    by: ['jest', 'state/file-backend'],
  },
  'does not flush a version': {
    file: 'src/state/create-file.ts',
    from: '      await file.sync()\n',
    to: '',
    by: ['jest', 'proofs/disk'],
    isShort: true,
  },
  'does not flush the folder of a version': {
    file: 'src/state/create-file.ts',
    from: '  await flushFolder(disk, dirname(path))\n  return true',
    to: '  return true',
    by: ['jest', 'proofs/disk'],
  },
  'takes a version with a wrong checksum': {
    file: 'src/state/site-state.ts',
    from: 'if (digestCanonical(state) !== checksum)',
    to: 'if (checksum === undefined)',
    by: ['jest', 'state/state-store', 'state/state-text'],
  },
  'takes the state of another site': {
    file: 'src/state/site-state.ts',
    from: 'if (state.site !== site)',
    to: "if (state.site === '')",
    by: ['jest', 'state/state-store', 'state/state-text'],
  },
  'takes a chain that was altered': {
    file: 'src/state/chain.ts',
    from: 'if (state.value.previous !== expected)',
    to: 'if (state.value.previous === undefined)',
    by: ['jest', 'state/state-store', 'cli/state/state-show'],
  },
  'pushes over what another pushed': {
    file: 'src/state/git-remote.ts',
    from: '[...plainPush, lease,',
    to: "[...plainPush, '--force',",
    by: ['jest', 'state/git-backend', 'state/series'],
  },
  'takes a process with the number of a dead one for it': {
    file: 'src/state/process-identity.ts',
    from: "found.startedAt !== holder.startedAt || found.state === 'Z'",
    to: "found.state === 'Z'",
    by: ['jest', 'state/process-identity'],
  },
  'takes a process of another machine for dead': {
    file: 'src/state/process-identity.ts',
    from: "  if (placeFacts.some(fact => holder[fact] !== self[fact])) return 'elsewhere'\n",
    to: '',
    by: ['jest', 'state/process-identity'],
  },
  'performs a plan though a license changed': {
    file: 'src/plan/saved/bindings.ts',
    from: 'return bound === computeDigest(bytes)',
    to: 'return bound !== computeDigest(bytes).slice(1)',
    by: ['jest', 'cli/saved-plan', 'plan/saved/bindings'],
  },
  'performs a plan though the manifest changed': {
    file: 'src/plan/saved/bindings.ts',
    from: '[planned.manifest !== now.manifest,',
    to: '[planned.manifest === undefined,',
    by: ['jest', 'plan/saved/bindings', 'cli/saved-plan'],
  },
  'performs a plan twice': {
    file: 'src/plan/saved/saved-plan.ts',
    from: 'if (record.plan?.id === id)',
    to: "if (record.plan?.id === '')",
    by: ['jest', 'plan/saved', 'cli/saved-plan'],
  },
  'performs a plan that somebody altered': {
    file: 'src/plan/saved/saved-plan.ts',
    from: "if (typeof id === 'string' && digestCanonical(content) !== id)",
    to: "if (typeof id === 'string' && digestCanonical(content) === undefined)",
    by: ['jest', 'plan/saved', 'cli/saved-plan'],
  },
  'ends with 0 where it does not know': {
    file: 'src/cli/exit-code-of.ts',
    from: `    case 'rejected-before':
      return exitCodes.unknown`,
    to: `    case 'rejected-before':
      return exitCodes.done`,
    by: ['faults', '--only', 'F19'],
    isShort: true,
  },
  'ends with 0 where a promise never settles': {
    file: 'src/cli/main.ts',
    from: 'process.exitCode = exitCodes.internal',
    to: 'process.exitCode = exitCodes.done',
    by: ['exit', '--only', 'crashes'],
  },
  'shows what controls a terminal': {
    file: 'src/report/display.ts',
    from: 'if (!/[^ -~\\u2026]|##/.test(text)) return text',
    to: 'if (text.length >= 0) return text',
    by: ['jest', 'report/display'],
  },
  'lets a name end its quotes in a body': {
    file: 'src/client/wire/multipart.ts',
    from: `.replaceAll('"', '%22')`,
    to: '',
    by: ['jest', 'client/wire/multipart'],
  },
  'keeps a control character in JSON': {
    file: 'src/client/wire/json-bytes.ts',
    from: 'byte < 0x20',
    to: 'byte < 0x1f',
    by: ['jest', 'client/wire/json-bytes'],
  },
  'takes any number of aliases': {
    file: 'src/manifest/yaml-limits.ts',
    from: 'aliases: 100,',
    to: 'aliases: 1e9,',
    by: ['jest', 'manifest/yaml-document'],
  },
  'clears a request whose process may live': {
    file: 'src/apply/clear-submission.ts',
    from: "liveness === 'dead' || (liveness === 'elsewhere' && isRunnerGone)",
    to: "liveness !== 'alive'",
    by: ['jest', 'cli/state/state-discard-intent'],
  },
  'clears a request that may still arrive': {
    file: 'src/apply/drain.ts',
    from: 'const wholeMs = Math.max(submission.deadlineMs, shortestDrainMs)',
    to: 'const wholeMs = Math.min(submission.deadlineMs, shortestDrainMs) / 2',
    by: ['jest', 'cli/state/state-discard-intent'],
  },
  'shows a secret of a request in the log of the emulator': {
    file: 'src/emulator/log/redact-request.ts',
    from: "if (parameter === undefined) return { name: '?',",
    to: 'if (parameter === undefined) return { name: part.name,',
    by: ['jest', 'emulator/log/redact-request'],
  },
}
