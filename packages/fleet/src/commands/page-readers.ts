import { type Result, secretSource } from 'landform'
import { exitCodeOfReferences, exitCodes, type Failure, type Host, parseSecretOption } from 'landform/cli'
import { resolve, wipeAll } from 'landform/sites'
import { formatListenAddress, isLoopback, type ListenAddress } from '../model/listen-address.js'
import type { FleetPageOptions } from '../ui/server.js'
import { computeSha256 } from '../ui/sessions.js'

/** Access to a page, or the reason that it is not served. */
export type PageReaders = Result<Pick<FleetPageOptions, 'tokenDigest'>, Failure>

export interface ReaderOptions {
  /** Reference to the token. */
  readonly token: string | undefined
  readonly listen: ListenAddress
}

const minTokenBytes = 16

/** Determines the readers of a page: everyone on this machine; readers on other machines need a token. */
export async function resolveReaders({ token, listen }: ReaderOptions, host: Host): Promise<PageReaders> {
  const wanted = parseSecretOption('token', token)
  if (wanted === undefined) return isLoopback(listen) ? { ok: true, value: {} } : requireToken(listen)
  const resolved = await resolve([wanted], secretSource(host.environment, '.'))
  if (!resolved.ok) {
    const { error: diagnostics } = resolved
    return {
      ok: false,
      error: {
        message: `no token: ${diagnostics[0]?.message}`,
        exitCode: exitCodeOfReferences(diagnostics),
      },
    }
  }
  const bytes = resolved.value.secrets.get(wanted.pointer)?.bytes ?? new Uint8Array()
  const isLong = bytes.length >= minTokenBytes
  const tokenDigest = computeSha256(bytes)
  wipeAll(resolved.value.secrets)
  return isLong ? { ok: true, value: { tokenDigest } } : tokenTooShort
}

function requireToken(listen: ListenAddress): PageReaders {
  const where = formatListenAddress(listen)
  return {
    ok: false,
    error: {
      exitCode: exitCodes.refused,
      message: `a token is required: ${where} is reachable from other machines`,
      next: `landform fleet ui --listen ${where} --token env:LANDFORM_UI_TOKEN`,
    },
  }
}

const tokenTooShort: PageReaders = {
  ok: false,
  error: {
    exitCode: exitCodes.refused,
    message: `the token is too short: expected at least ${minTokenBytes} bytes`,
    next: 'generate a longer one, such as with `openssl rand -hex 24`',
  },
}
