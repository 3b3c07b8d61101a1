import type { KeyObject } from 'node:crypto'
import { readLimited } from '../../library/read-files.js'
import { isSignedBy, parsePublicKey, parseSigningKey, signPlan } from '../../plan/saved/plan-document.js'
import { display } from '../../report/display.js'
import { exitCodes, UsageError } from '../../report/exit-code.js'
import { describeNamedFileDefect } from '../../report/file-problem.js'
import { readUntyped } from '../../secrets/file-jail.js'
import type { Host } from '../host.js'
import type { Failure } from '../terminal/output.js'
import { writeWhole } from '../terminal/write-file.js'

/** Far more than a signature and the line breaks around it. */
const maxSignatureBytes = 4096

/** Far more than a key in PEM. */
const maxKeyBytes = 64 * 1024

/** The path of the signature of a saved plan. */
export function signatureFile(plan: string): string {
  return `${plan}.sig`
}

/** Reads the key of `--sign-key`. No message quotes the option, which may be the key itself by mistake. */
export async function readSigningKey(where: string | undefined, host: Host): Promise<KeyObject | undefined> {
  if (where === undefined) return undefined
  const [, kind, name = ''] = /^(env|file):(.+)$/s.exec(where) ?? []
  if (kind === undefined)
    throw new UsageError(
      '--sign-key takes the location of the key, env:LANDFORM_… or file:PATH, never the key itself',
    )
  if (kind === 'env' && !name.startsWith('LANDFORM_'))
    throw new UsageError('--sign-key names an environment variable that begins with LANDFORM_')
  const pem = kind === 'env' ? Buffer.from(host.environment[name] ?? '') : readOptionFile(name, 'sign-key')
  const key = parseSigningKey(pem)
  pem.fill(0)
  if (key !== undefined) return key
  throw new UsageError(
    '--sign-key is not an Ed25519 key in PEM without a passphrase; `openssl genpkey -algorithm ed25519` makes one',
  )
}

/** Writes the signature beside a saved plan. */
export function writeSignature(plan: string, id: string, key: KeyObject): void {
  writeWhole(signatureFile(plan), { content: signPlan(id, key) })
}

/** Reads the signature beside a saved plan, if there is one. */
export async function readSignature(plan: string): Promise<string | undefined> {
  const reply = await readUntyped(signatureFile(plan), maxSignatureBytes).catch(() => undefined)
  return reply?.kind === 'read' ? reply.bytes.toString('latin1') : undefined
}

/** Verifies the signature of a saved plan if one is required; returns `undefined` if it is valid. */
export async function signatureFailure(
  plan: string,
  id: string,
  publicKey: string | undefined,
): Promise<Failure | undefined> {
  if (publicKey === undefined) return undefined
  const key = parsePublicKey(readOptionFile(publicKey, 'require-signature'))
  if (key === undefined) throw new UsageError(`${display(publicKey)} is not a public Ed25519 key in PEM`)
  const file = signatureFile(plan)
  const signature = await readSignature(plan)
  const reject = (problem: string): Failure => ({
    exitCode: exitCodes.refused,
    message: `the plan ${display(plan)} ${problem}`,
    next: ['save the plan again with --sign-key'],
  })
  if (signature === undefined) return reject(`has no signature ${display(file)}, but one is required`)
  return isSignedBy(key, id, signature) ? undefined : reject('has no valid signature of the required key')
}

function readOptionFile(path: string, option: string): Buffer {
  const read = readLimited(path, { maxBytes: maxKeyBytes })
  if (read.ok) return read.value
  throw new UsageError(`the file that --${option} names ${describeNamedFileDefect(read.error, 'key')}`)
}
