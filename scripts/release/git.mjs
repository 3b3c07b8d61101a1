import { spawnSync } from 'node:child_process'

/** Returns the output of git; throws with its message if it fails. */
export function git(root, words, { index, input } = {}) {
  const env = { ...process.env, ...(index !== undefined && { GIT_INDEX_FILE: index }) }
  const { status, stdout, stderr } = spawnSync('git', words, { cwd: root, env, input, encoding: 'utf8' })
  if (status !== 0) throw new Error(`git ${words[0]}: ${stderr}`)
  return stdout.trimEnd()
}
