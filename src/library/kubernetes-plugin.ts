import { resolve } from 'node:path'
import type { Result } from '../result.js'
import type { KubernetesReason } from '../state/state-failure.js'
import { describeProgramDefect, runCredentialProgram } from './credential-program.js'
import { systemClock } from './system-ports.js'
import { type Fields, listFields, textIn, toFields } from './unchecked-fields.js'

/** The credentials for an API server: a token, a client certificate with its key as PEM, or both. */
export interface KubernetesCredentials {
  readonly token?: string
  readonly client?: { readonly certificate: Buffer; readonly key: Buffer }
}

type Found = Result<KubernetesCredentials, KubernetesReason>

/** Runs the credential program of a kubeconfig's user, and keeps the credentials until they expire. */
export interface CredentialPlugin {
  /** Finds the credentials; `exec` is that part of the user's entry, and `folder` contains the kubeconfig. */
  find(exec: Fields, folder: string): Promise<Found>
  /** Forgets credentials that the server rejected; returns false if there were none. */
  forget(): boolean
}

/** Credentials are renewed this long before they expire, because clocks differ. */
const renewBeforeMs = 60_000

/** Creates a plugin without credentials. Programs do not get the variables of Landform. */
export function createCredentialPlugin(
  environment: Readonly<Record<string, string | undefined>>,
): CredentialPlugin {
  let held: { readonly credentials: KubernetesCredentials; readonly untilMs: number } | undefined
  return {
    async find(exec, folder) {
      if (held !== undefined && systemClock.now() < held.untilMs - renewBeforeMs)
        return { ok: true, value: held.credentials }
      const program = textIn(exec, 'command')
      const apiVersion = textIn(exec, 'apiVersion')
      if (program === undefined || apiVersion === undefined)
        return { ok: false, error: { kind: 'kubernetes', cause: 'invalid-kubeconfig', said: 'exec' } }
      const named = listFields(exec['env']).map(one => [
        textIn(one, 'name') ?? '',
        textIn(one, 'value') ?? '',
      ])
      const info = { apiVersion, kind: 'ExecCredential', spec: { interactive: false } }
      const printed = await runCredentialProgram({
        // A path is relative to the folder of the kubeconfig; a name is looked up in `PATH`.
        program: program.includes('/') ? resolve(folder, program) : program,
        args: Array.isArray(exec['args']) ? exec['args'].map(String) : [],
        environment: {
          ...environment,
          ...Object.fromEntries(named),
          KUBERNETES_EXEC_INFO: JSON.stringify(info),
        },
      })
      if (!printed.ok) return failed(`${program}: ${describeProgramDefect(printed.error)}`)
      const status = toFields(printed.value['status']) ?? {}
      const credentials = readCredentials(status)
      if (credentials === undefined) return failed(`${program}: no-credentials`)
      const untilMs = Date.parse(textIn(status, 'expirationTimestamp') ?? '')
      held = { credentials, untilMs: Number.isNaN(untilMs) ? Number.POSITIVE_INFINITY : untilMs }
      return { ok: true, value: credentials }
    },
    forget() {
      const had = held !== undefined
      held = undefined
      return had
    },
  }
}

function readCredentials(status: Fields): KubernetesCredentials | undefined {
  const token = textIn(status, 'token')
  const certificate = textIn(status, 'clientCertificateData')
  const key = textIn(status, 'clientKeyData')
  const isPair = certificate !== undefined && key !== undefined
  if (token === undefined && !isPair) return undefined
  return {
    ...(token !== undefined && { token: token.trim() }),
    ...(isPair && { client: { certificate: Buffer.from(certificate), key: Buffer.from(key) } }),
  }
}

function failed(said: string): Found {
  return { ok: false, error: { kind: 'kubernetes', cause: 'no-plugin-credentials', said } }
}
