import { siteOperator } from '../../src/client/site-operator.js'
import type { ExportRequest } from '../../src/client/wire/form-requests.js'
import type { OneShotOptions, OneShotPorts, WithToken } from '../../src/operations/one-shot.js'
import { secretSource } from '../../src/secrets/secret-source.js'
import { canary } from './hostile-documents.js'

/** Everything that a one-shot operation may need, each value with a mark in it that no output may show. */
export const oneShotSecrets = {
  LANDFORM_TOKEN: `token-${canary}`,
  LANDFORM_ACCOUNT_KEY: `key-${canary}+/==`,
} as const

export const aToken = {
  kind: 'secret',
  pointer: '/--token',
  reference: { env: 'LANDFORM_TOKEN' },
} as const

/** An export to a folder. */
export function anExport(changes: Partial<WithToken<ExportRequest>> = {}): WithToken<ExportRequest> {
  return { location: '/backups', target: { kind: 'folder' }, validate: false, token: aToken, ...changes }
}

/** Ports that talk to a real socket. */
export function oneShotPorts(url: string, environment: Readonly<Record<string, string>> = oneShotSecrets) {
  return { client: siteOperator(url), secrets: secretSource(environment, '.') } satisfies OneShotPorts
}

export function oneShotOptions(changes: Partial<OneShotOptions> = {}): OneShotOptions {
  return { deadlineMs: 10_000, signal: new AbortController().signal, ...changes }
}
