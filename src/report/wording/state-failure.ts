import { type Wording, wordingFor } from '../../diagnostics/wording.js'
import type { GitCause, GitReason, MovedTo, StateReason } from '../../state/state-failure.js'

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
  unreachable: 'the remote cannot be reached',
  'no-remote': 'the remote does not exist: git remote -v lists the remotes',
}

/** Most texts begin with "it", the place that the sentence names before. */
const wording: Wording<StateReason> = {
  system: ({ message }) => message,
  reported: ({ text }) => text,
  git: describeGit,
  'not-a-file': () => 'it is not a regular file',
  'not-a-folder': () => 'it is not a folder',
  'dangling-link': () => 'it is a link to nothing',
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
  rewritten: ({ seenRef }) =>
    `versions that were there are missing: the ref was replaced, or it is an old copy (only if that is intended: git update-ref -d ${seenRef})`,
  'no-document': ({ document }) => `a commit does not contain ${document}`,
  'not-json': ({ serial }) => `version ${serial} is not valid JSON`,
  'not-a-state': ({ serial }) => `version ${serial} is not the state of a site`,
  'wrong-checksum': ({ serial }) => `the checksum of version ${serial} is wrong`,
  'wrong-serial': ({ serial, found }) => `version ${serial} claims to be version ${found}`,
  'broken-chain': ({ serial }) =>
    `version ${serial} does not follow the one before it: one of them was altered`,
  'newer-format': () => 'it was written by a newer Landform; use that version',
  'other-site': () => 'it belongs to another site',
  'taken-over': () => 'another run took over the site',
  contended: () => 'other runs keep writing it',
  'other-intent': () => 'another run with other state has recorded a submission intent in the meantime',
  'intent-elsewhere': ({ where }) =>
    `a submission intent is recorded on this machine with state in ${where}, and its outcome is unknown`,
  moved: ({ to }) => `it moved to ${placeWords(to)}`,
  'move-unfinished': ({ from }) => `its move from ${placeWords(from)} was not finished; run it again`,
  'other-address': ({ name, site, url }) =>
    `the state of \`${name}\` belongs to ${site}, but the site is addressed as ${url}`,
  'no-location': ({ location }) => `it moved to ${location}, which is not a state location`,
  'unreachable-location': ({ location }) => `the state moved to ${location}, which cannot be opened here`,
}

/** Describes the cause of a state failure, as a clause. The text may hold untrusted characters. */
export function describeStateReason(reason: StateReason): string {
  return wordingFor(wording, reason)
}

function describeGit({ cause, said }: GitReason): string {
  const meaning = typeof cause === 'number' ? `git exited with ${cause}` : gitCauses[cause]
  return said === undefined ? meaning : `${meaning} (git: ${said})`
}

function placeWords({ state, site }: MovedTo): string {
  return [state, site].join(' ').trim()
}
