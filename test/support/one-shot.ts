import { siteOperator } from '../../src/client/site-operator.js'
import type { ExportRequest } from '../../src/client/wire/form-requests.js'
import type { OneShotOptions, OneShotPorts, WithToken } from '../../src/operations/one-shot.js'
import { secretSource } from '../../src/secrets/secret-source.js'
import { canary } from './hostile-documents.js'

/** The secrets of one-shot operations, each with a mark that no output may contain. */
export const oneShotSecrets = {
  LANDFORM_TOKEN: `token-${canary}`,
  LANDFORM_ACCOUNT_KEY: `key-${canary}+/==`,
} as const

export const aToken = { kind: 'secret', pointer: '/--token', reference: { env: 'LANDFORM_TOKEN' } } as const

/** Returns an export to a folder, with the given changes. */
export function anExport(changes: Partial<WithToken<ExportRequest>> = {}): WithToken<ExportRequest> {
  return { location: '/backups', target: { kind: 'folder' }, validate: false, token: aToken, ...changes }
}

/** Returns ports for a site at a real socket. */
export function oneShotPorts(url: string, environment: Readonly<Record<string, string>> = oneShotSecrets) {
  return { client: siteOperator(url), secrets: secretSource(environment, '.') } satisfies OneShotPorts
}

export function oneShotOptions(changes: Partial<OneShotOptions> = {}): OneShotOptions {
  return { deadlineMs: 10_000, signal: new AbortController().signal, ...changes }
}
