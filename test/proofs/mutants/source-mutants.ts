/** A mistake in the sources: one text is replaced by another, and a suite is to find it. */
export interface Mutant {
  /** From the root of the project. */
  readonly file: string
  /** Occurs in the file once. */
  readonly from: string
  readonly to: string
  /** The suite that finds it: `jest` with its words, or a check with its words. */
  readonly by: readonly [suite: string, ...words: string[]]
  /** Tried by the short form of the check, too. */
  readonly isShort?: true
}

/**
 * The mistakes that Stryker does not make, since no change of an operator, a condition or a value leads to them. Of all
 * others the mutation run is the measure.
 */
export const sourceMutants: Readonly<Record<string, Mutant>> = {
  'writes over a version that another run made': {
    file: 'src/state/create-file.ts',
    from: 'await disk.link(file, path)',
    to: "await (await import('node:fs/promises')).rename(file, path)",
    by: ['concurrency', '--only', 'numbers', '--numbers', '4'],
  },
  'lets others read the state': {
    file: 'src/state/create-file.ts',
    from: '0o600',
    to: '0o644',
    by: ['jest', 'state/file-backend'],
    isShort: true,
  },
  'pushes over what another run pushed': {
    file: 'src/state/git-remote.ts',
    from: '[...plainPush, lease,',
    to: "[...plainPush, '--force',",
    by: ['jest', 'state/git-backend', 'state/series'],
  },
  'replaces a version in the database': {
    file: 'packages/fleet/src/state/postgres-backend.ts',
    from: 'on conflict do nothing',
    to: 'on conflict (site, serial) do update set body = excluded.body',
    by: ['database', '--only', 'numbers', '--numbers', '4'],
  },
  'ends a lock by its time though its process lives': {
    file: 'src/state/state-store.ts',
    from: "if (liveness !== 'elsewhere') return liveness === 'dead'",
    to: "if (liveness === 'dead') return true",
    by: ['jest', 'state/state-store'],
    isShort: true,
  },
  'gives git the secrets of the site': {
    file: 'src/state/git-program.ts',
    from: '/^(?:LANDFORM_.*|',
    to: '/^(?:',
    by: ['secrets', '--seed', '1', 'git'],
  },
  'prints a secret': {
    file: 'src/secrets/secret.ts',
    from: 'this.#bytes.fill(0)\n  }\n',
    to: 'this.#bytes.fill(0)\n  }\n\n  override toString(): string {\n    return this.#bytes.toString()\n  }\n',
    by: ['jest', 'secrets/secret'],
    isShort: true,
  },
  'binds a plan to a password': {
    file: 'src/secrets/resolve.ts',
    from: 'licenses[file.pointer] = found\n',
    to: `licenses[file.pointer] = found
      const { resolve } = await import('./resolve.js')
      const { computeDigest } = await import('../manifest/digest.js')
      const { password: reference } = organization.administrator
      const other = await resolve([{ kind: 'secret', pointer: '/spec/administrator/password', reference }], source)
      if (other.ok) for (const { bytes: guessed } of other.value.secrets.values()) digests['a password'] = computeDigest(guessed)
`,
    by: ['secrets', '--seed', '1', 'same'],
  },
  'follows a link out of the folder of the manifest': {
    file: 'src/secrets/file-jail.ts',
    from: 'await realpath(join(root, path))',
    to: 'join(root, path)',
    by: ['jest', 'secrets/resolve', 'secrets/bind-files'],
    isShort: true,
  },
  'allows an origin that begins like an allowed one': {
    file: 'src/cli/site/site-policy.ts',
    from: '!allowed.includes(origin)',
    to: '!allowed.some(one => origin.startsWith(one))',
    by: ['jest', 'cli/site/site-policy'],
  },
  'shows what a site repeats when it exports': {
    file: 'src/client/site-operator.ts',
    from: 'return redactReply(result, redact)',
    to: 'return result',
    by: ['secrets', '--seed', '1', 'echo'],
  },
  'prints the message of an exception': {
    file: 'src/cli/main.ts',
    from: 'const { name, stack',
    to: 'const { message: name, stack',
    by: ['exit', '--only', 'crashes'],
    isShort: true,
  },
}
