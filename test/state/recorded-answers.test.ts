import { parseGitFailure } from '../../src/state/git-program.js'
import { azureQuestions } from '../support/answers/azure-questions.js'
import { kubernetesQuestions } from '../support/answers/kubernetes-questions.js'
import { normalizeAnswer, type RecordedAnswer, readRecording } from '../support/answers/recorded.js'
import { s3Questions } from '../support/answers/s3-questions.js'
import { apiServer } from '../support/api-server.js'
import { azureServer, foreignToken, formerToken } from '../support/azure-server.js'
import { s3Server } from '../support/s3-server.js'

/** Sends all requests to a stand-in in order, since each response depends on the earlier ones. */
async function answersTo<S>(
  server: S,
  questions: Readonly<Record<string, (server: S) => Promise<Parameters<typeof normalizeAnswer>[0]>>>,
): Promise<Readonly<Record<string, RecordedAnswer>>> {
  const answers: Record<string, RecordedAnswer> = {}
  for (const [name, ask] of Object.entries(questions)) answers[name] = normalizeAnswer(await ask(server))
  return answers
}

// `npm run verify -- real-servers` sends the same requests to real servers.
test('the stand-in of an API server responds as a real one does, to the byte', async () => {
  const { answers } = readRecording('kubernetes')
  const server = await apiServer()
  expect(answers).toMatchObject(await answersTo(server, kubernetesQuestions))
  await server.close()
})

test('the stand-in of object storage responds as Ceph does, to the byte', async () => {
  const { answers } = readRecording('ceph')
  const server = await s3Server()
  const { environment } = server
  const keys = {
    accessKeyId: environment['AWS_ACCESS_KEY_ID'] ?? '',
    secretAccessKey: environment['AWS_SECRET_ACCESS_KEY'] ?? '',
    sessionToken: environment['AWS_SESSION_TOKEN'] ?? '',
  }
  const region = environment['AWS_REGION'] ?? ''
  expect(answers).toMatchObject(await answersTo({ ...server, keys, region }, s3Questions))
  await server.close()
})

test('the stand-in of blob storage responds as Azurite does, to the byte', async () => {
  const { answers } = readRecording('azurite')
  const server = await azureServer()
  expect(answers).toMatchObject(await answersTo({ ...server, formerToken, foreignToken }, azureQuestions))
  await server.close()
})

test.each([
  ['a repository that does not exist', 'access-denied'],
  ['a push that is not served', 'access-denied'],
  ['a ref that is hidden', 'ref-rejected'],
  ['a server that is gone', 'unreachable'],
])("git's message about %s is understood", (recorded, cause) => {
  const { status: code, body } = readRecording('git').answers[recorded] ?? { status: 0 }
  const { stdout, stderr } = body as { readonly stdout: string; readonly stderr: string }
  // The rejection is in the output of `push --porcelain`, which the backend appends.
  const end = { code, stdout: Buffer.from(stdout), stderr: `${stderr}${stdout}` }
  expect(parseGitFailure(end)).toMatchObject({ kind: 'git', cause })
})

test("git's message about a proxy that rejects a large body does not count as an unreachable remote", () => {
  const stderr = [
    'error: RPC failed; HTTP 413 curl 22 The requested URL returned error: 413',
    'send-pack: unexpected disconnect while reading sideband packet',
    'fatal: the remote end hung up unexpectedly',
  ].join('\n')
  const end = { code: 1, stdout: Buffer.from(''), stderr }
  expect(parseGitFailure(end)).toMatchObject({ kind: 'git', cause: 'too-large' })
})
