import { type Wording, wordingFor } from '../diagnostics/wording.js'
import type {
  AzureCause,
  AzureSource,
  GitCause,
  KubernetesCause,
  MovedTo,
  ObjectReason,
  S3Cause,
  StateReason,
  TriedSource,
} from '../state/state-failure.js'
import type { Contradiction } from '../state/witnesses.js'
import { describeCertificateFault } from './certificate-faults.js'

const gitCauses: Readonly<Record<Exclude<GitCause, number>, string>> = {
  'not-installed': 'git is not installed: install it, or use --state file:DIR',
  timeout: 'git timed out: is the remote reachable?',
  'git-too-old': 'git 2.29 or newer is required',
  'other-owner':
    'the repository belongs to another user: git config --global --add safe.directory FOLDER allows it',
  'no-repository':
    'the manifest is not in a git repository: keep it in one, or keep the state in --state file:DIR',
  'ref-rejected': 'the remote rejects refs below refs/landform/: allow them there, or use another remote',
  'access-denied':
    'the remote denied access: credentials that may read and write are required (in GitHub Actions, contents: write)',
  'not-writable': 'the repository is not writable',
  'too-large':
    'the remote rejects a push of this size (HTTP 413): raise the limit of its proxy, or use an ssh address',
  unreachable: 'the remote cannot be reached',
  'no-remote': 'the remote does not exist: git remote -v lists the remotes',
}

/** The causes that object stores share. */
const objectCauses = {
  'proxy-unusable':
    'the proxy that the environment names is not the URL of an http or https proxy, with its password escaped',
  'too-large':
    'the state exceeds what the server accepts as one object: move it elsewhere with `landform state move`',
  'ignores-conditions':
    'the server ignores the condition of a write (If-None-Match), so two runs could both hold a site: keep the state elsewhere',
  'lost-write': 'the server confirmed a write but did not keep it',
  'untrusted-certificate':
    'the certificate of the server is not trusted: NODE_EXTRA_CA_CERTS names more authorities',
  'no-tls': 'the server offers no TLS at this address: check the scheme and the port',
  busy: 'the server is unavailable',
} as const

const s3Causes: Readonly<Record<Exclude<S3Cause, number>, string>> = {
  ...objectCauses,
  'no-region': 'it names no region: add `?region=…`, or set AWS_REGION, or `region` of the profile',
  'no-credentials':
    'no credentials; tried, in this order: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY; AWS_WEB_IDENTITY_TOKEN_FILE and AWS_ROLE_ARN; the profile (AWS_PROFILE) in ~/.aws; AWS_CONTAINER_CREDENTIALS_FULL_URI or _RELATIVE_URI',
  'no-profile-credentials':
    'the profile gave no credentials: `aws configure export-credentials` shows why, such as an SSO session that ended',
  'no-container-credentials':
    'the credentials endpoint of the container gave none; its address must be https, or on this machine',
  'no-token-file': 'the token file that the environment names cannot be read',
  'role-denied':
    'the token service did not grant AWS_ROLE_ARN: check its trust policy and the web identity token',
  'expired-credentials': 'the credentials have expired: get new ones',
  'wrong-credentials': 'the server rejected the access key or the signature: check the AWS_ variables',
  'wrong-clock': 'the clock of this machine differs too much from that of the server: set it',
  'access-denied':
    'access denied: the credentials need s3:GetObject, s3:PutObject and s3:ListBucket (without s3:ListBucket, S3 also denies access to a missing object)',
  'no-bucket': 'the bucket does not exist: create it, or correct the name and the endpoint',
  'other-region': 'the bucket is in another region: correct `?region=…` or AWS_REGION',
  'no-conditions':
    'the server does not support conditional writes (If-None-Match): keep the state elsewhere, or update the server',
  full: 'the quota of the bucket or of its owner is used up: raise it, or keep the state elsewhere',
  unreachable: 'the server cannot be reached',
  'not-object-storage': 'the response is not from object storage: check the endpoint',
}

const azureCauses: Readonly<Record<Exclude<AzureCause, number>, string>> = {
  ...objectCauses,
  'no-token': 'no token for Azure Storage',
  'wrong-credentials':
    'the server rejected the token: is the account in the tenant that granted it, and the clock of this machine right?',
  'access-denied':
    'access denied: the identity needs the role Storage Blob Data Contributor on the container (a new assignment takes effect after some minutes)',
  'network-denied': 'the network rules of the storage account do not allow this machine',
  'no-container': 'the container does not exist: create it, or correct the names',
  unreachable: 'the server cannot be reached: check the name of the storage account, and the network',
  'not-blob-storage': 'the response is not from Azure Blob Storage: check the endpoint',
}

/** The sources of Azure credentials, in the order in which they are tried. */
const azureSources: Readonly<Record<AzureSource, string>> = {
  'workload-identity': 'workload identity',
  'client-secret': 'a client secret',
  github: 'GitHub Actions',
  'azure-devops': 'Azure DevOps',
  'managed-identity': 'the managed identity of this machine',
  'azure-cli': '`az account get-access-token`',
}

const kubernetesCauses: Readonly<Record<Exclude<KubernetesCause, number>, string>> = {
  'no-cluster':
    'no service account token of a pod was found; outside a pod, name a context of the kubeconfig: kubernetes:CONTEXT/NAMESPACE',
  'invalid-kubeconfig':
    'the kubeconfig (KUBECONFIG, or ~/.kube/config) cannot be used: it needs the context that the location names, with a cluster and a user, and the files that it names',
  'unsupported-kubeconfig':
    'the kubeconfig uses an unsupported method: use a token, a client certificate, a program (exec) or the token of a pod, over https',
  'no-plugin-credentials':
    'the program that the kubeconfig names (exec) gave no credentials: run it, or kubectl, to see why',
  'proxy-unusable': objectCauses['proxy-unusable'],
  'wrong-credentials': 'the API server rejected the token or the certificate: get new credentials',
  'access-denied':
    'access denied: the account needs create, get and list on secrets in this namespace, which must exist, have quota left and not be terminating',
  'no-namespace': 'the namespace does not exist: create it, or correct the name',
  'too-large':
    'the state exceeds what a Secret may hold (1 MiB): move it elsewhere with `landform state move`',
  'ignores-conditions':
    'the server creates the same Secret twice, so two runs could both hold a site: keep the state elsewhere',
  'lost-write': 'the server confirmed a Secret but did not keep it',
  'untrusted-certificate':
    'the certificate of the API server is not trusted: the kubeconfig names its authority',
  'no-tls': 'the API server offers no TLS at this address: check the scheme and the port',
  unreachable: 'the API server cannot be reached',
  busy: 'the API server is unavailable',
  'not-kubernetes': 'the response is not from a Kubernetes API server: check the address',
}

const causesByStore = { s3: s3Causes, azblob: azureCauses, kubernetes: kubernetesCauses } as const

const notArrived: Readonly<Record<Contradiction, string>> = {
  'no-history': 'which appears empty from here',
  'other-history': 'where this run finds another history of the site',
  'older-copy': 'where its newest versions are missing',
}

/** Most texts begin with "it", which refers to the state named before. */
const wording: Wording<StateReason> = {
  system: ({ message }) => message,
  reported: ({ text }) => text,
  git({ cause, said }) {
    const meaning = typeof cause === 'number' ? `git exited with ${cause}` : gitCauses[cause]
    return said === undefined ? meaning : `${meaning} (git: ${said})`
  },
  s3: describeObject,
  azblob: describeObject,
  kubernetes: describeObject,
  'not-a-file': () => 'it is not a regular file',
  'not-a-folder': () => 'it is not a folder',
  'dangling-link': () => 'it is a broken link',
  'link-to-read-only': () =>
    'it is a link to a folder that even its owner may not write to, such as a system folder',
  'other-owner': ({ uid }) =>
    `it belongs to another user (uid ${uid}): run as that user, or change the owner with chown`,
  'open-to-others': () => 'other users have access to it: remove that with chmod go-rwx',
  'no-hard-links': ({ message }) =>
    `the file system does not support hard links, which are required (${message}): keep the state elsewhere with --state file:DIR, or git:REMOTE`,
  missing: () => 'it is missing',
  'missing-before-later': () => 'it is missing, although later versions exist',
  'missing-version': ({ serial }) => `version ${serial} is missing`,
  rewritten: ({ remote, ref, seenRef }) =>
    `the remote lacks versions that this clone has seen: it lost a push that it had accepted, or the ref was replaced by an older copy. Clones that have not seen them go on without them. To restore them: git push ${remote} ${seenRef}:${ref} (only if that is intended, go on without them: git update-ref -d ${seenRef})`,
  'no-document': ({ document }) => `a commit does not contain ${document}`,
  'not-json': ({ serial }) => `version ${serial} is not valid JSON`,
  'not-a-state': ({ serial }) => `version ${serial} is not the state of a site`,
  'wrong-checksum': ({ serial }) => `the checksum of version ${serial} is wrong`,
  'wrong-serial': ({ serial, found }) => `version ${serial} claims to be version ${found}`,
  'broken-chain': ({ serial }) =>
    `version ${serial} does not follow the one before it: one of them was altered`,
  'missing-request': ({ nonce, recordedIn }) =>
    `its newest versions are missing: the configure ${nonce}, which ${recordedIn} names, is not in it`,
  'newer-format': () => 'it was written by a newer Landform; use that version',
  'other-site': () => 'it belongs to another site',
  'taken-over': () => 'another run took over the site',
  contended: () => 'other runs keep writing it',
  'other-intent': () => 'another run with other state has recorded a submission intent in the meantime',
  'intent-elsewhere': ({ where }) =>
    `a submission intent is recorded on this machine with state in ${where}, and its outcome is unknown`,
  'intent-missing': ({ where }) =>
    `a submission intent is recorded on this machine with state in ${where}, and this copy does not have it`,
  'renamed-site': ({ name, site }) =>
    `this manifest declared the site \`${name}\` at ${site} before, and the outcome of its configure is unknown`,
  'not-arrived': ({ to, found }) => `it moved to ${placeWords(to)}, ${notArrived[found]}`,
  moved: ({ to }) => `it moved to ${placeWords(to)}`,
  'move-unfinished': ({ from }) => `its move from ${placeWords(from)} was not finished; run it again`,
  'other-address': ({ name, site, url }) =>
    `the state of \`${name}\` belongs to ${site}, but the site is addressed as ${url}`,
  'no-location': ({ location, problem }) => `it moved to ${location}, which ${problem}`,
  'endpoint-not-allowed': ({ endpoint, variable }) =>
    `its endpoint ${endpoint} is not allowed: the environment variable ${variable} does not name it`,
  'unreachable-location': ({ location }) => `the state moved to ${location}, which cannot be opened here`,
}

/** Describes the cause of a state failure, as a clause. The text may hold untrusted characters. */
export function describeStateReason(reason: StateReason): string {
  return wordingFor(wording, reason)
}

function describeObject(reason: ObjectReason): string {
  const { cause, said } = reason
  const words: Readonly<Record<string, string>> = causesByStore[reason.kind]
  const known = typeof cause === 'number' ? `the server responded with HTTP ${cause}` : words[cause]
  const meaning = cause === 'untrusted-certificate' ? describeUntrusted(reason, `${known}`) : known
  if ('tried' in reason && reason.tried !== undefined) return `${meaning}; ${describeTried(reason.tried)}`
  return said === undefined ? `${meaning}` : `${meaning} (${said})`
}

/** The defects of a token source, by code; other codes come from a server. */
const sourceDefects: Readonly<Record<string, string>> = {
  address: 'the address is not an https URL',
  'invalid-tenant': 'the tenant is not valid',
  'no-answer': 'no response',
  'no-token': 'no token in the response',
  'not-found': 'not installed',
  'not-json': 'no token in the response',
  'too-slow': 'no response in time',
  'unreadable-file': 'the file cannot be read',
}

/** Lists the token sources that were tried, each with the reason that it gave no token. */
function describeTried(tried: readonly TriedSource[]): string {
  const sources = tried.map(one => {
    const why = 'said' in one ? (sourceDefects[one.said] ?? one.said) : `not set: ${one.unset.join(', ')}`
    return `${azureSources[one.source]} (${why})`
  })
  return `tried, in this order: ${sources.join('; ')}`
}

/** Describes the fault of a certificate and, for an unknown authority, how to trust it. */
function describeUntrusted({ said = '', certificate }: ObjectReason, known: string): string {
  const fault = describeCertificateFault(said, certificate)
  if (fault === undefined) return known
  const isOwn = certificate?.outdated !== undefined || said === 'ERR_TLS_CERT_ALTNAME_INVALID'
  return isOwn ? fault : `${fault}: ${known.slice(known.indexOf(': ') + 2)}`
}

function placeWords({ state, site }: MovedTo): string {
  return [state, site].join(' ').trim()
}
