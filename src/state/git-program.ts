import { spawn } from 'node:child_process'

/** The end of a run of git. */
export interface GitEnd {
  readonly code: number | 'not-found' | 'too-slow'
  readonly stdout: Buffer
  /** The output of git and of the remote. Untrusted, and may contain credentials. */
  readonly stderr: string
}

/** Runs git with arguments, none of which a shell interprets. */
export type Git = (args: readonly string[], input?: string) => Promise<GitEnd>

export interface GitOptions {
  /** A folder in the repository, whose configuration and credentials are used. */
  readonly folder: string
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Time after which a run is stopped. */
  readonly timeoutMs: number
}

/**
 * Settings for every run: git runs no hooks, prompts or maintenance, and writes texts unchanged.
 */
const settings = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'protocol.ext.allow=never',
  'credential.interactive=false',
  'push.gpgSign=false',
].flatMap(setting => ['-c', setting])

/** Creates the function that runs git. No other code starts a program. */
export function gitProgram({ folder, environment, timeoutMs }: GitOptions): Git {
  const env = gitEnvironment(environment)
  return (args, input = '') =>
    new Promise(resolve => {
      // It has its own process group: an interrupt reaches Landform only, which may still have to write.
      const child = spawn('git', [...settings, ...args], {
        cwd: folder,
        env,
        detached: true,
        windowsHide: true,
      })
      const stdout: Buffer[] = []
      const stderr: Buffer[] = []
      const end = (code: GitEnd['code']) => {
        clearTimeout(timer)
        resolve({ code, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr).toString('utf8') })
      }
      const timer = setTimeout(() => {
        stop(child.pid)
        for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy()
        end('too-slow')
      }, timeoutMs)
      child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk))
      child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk))
      child.once('error', () => end('not-found'))
      child.once('close', code => end(code ?? 'too-slow'))
      // Git may end before it has read all input; its exit code gives the reason.
      child.stdin.on('error', () => undefined)
      child.stdin.end(input)
    })
}

function stop(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGTERM')
  } catch {
    // The process has just ended.
  }
}

/** The variables to remove: those that redirect git to another repository or enable traces, and secrets of the site. */
const unwanted =
  /^(?:LANDFORM_.*|GIT_(?:DIR|WORK_TREE|COMMON_DIR|INDEX_FILE|PREFIX|NAMESPACE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|QUARANTINE_PATH|SHALLOW_FILE|GRAFT_FILE|REPLACE_REF_BASE|TRACE.*|AUTHOR_.*|COMMITTER_.*))$/

function gitEnvironment(environment: GitOptions['environment']): Record<string, string | undefined> {
  const name = 'Landform'
  const email = 'landform@localhost'
  return {
    ...Object.fromEntries(Object.entries(environment).filter(([key]) => !unwanted.test(key))),
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    GCM_INTERACTIVE: 'never',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
  }
}
