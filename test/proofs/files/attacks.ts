import { spawnSync } from 'node:child_process'
import { chmodSync, linkSync, mkdirSync, renameSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A folder for one attack: `inside` is the root of the manifest, and everything else must stay closed. */
export interface Ground {
  readonly inside: string
  readonly outside: string
}

/** A path that tries to lead to something that is not to be read, or what lies behind a harmless one. */
export interface Attack {
  readonly name: string
  /** What the file of the user says; `ok` is a good file in `inside`, and `../outside/target` one that must stay closed. */
  path(ground: Ground): string
  prepare?(ground: Ground): void
  /** `either`: missing or refused, as the system has it; `harmless`: nothing of it is outside. */
  readonly ends: 'missing' | 'refused' | 'either' | 'read' | 'harmless'
}

/** A path as it is. */
function named(name: string, path: string | Attack['path'], ends: Attack['ends']): Attack {
  return { name, path: typeof path === 'string' ? () => path : path, ends }
}

/** What stands at `bad` in the root of the manifest. */
function placed(
  name: string,
  make: (file: string, ground: Ground) => void,
  { ends = 'refused', path = 'bad' }: { readonly ends?: Attack['ends']; readonly path?: string } = {},
): Attack {
  return { name, path: () => path, prepare: ground => make(join(ground.inside, 'bad'), ground), ends }
}

const link = (
  name: string,
  target: string,
  more: { readonly ends?: Attack['ends']; readonly path?: string } = {},
) => placed(name, file => symlinkSync(target, file), more)

function made(program: string, ...words: readonly string[]): void {
  const { status } = spawnSync(program, words)
  if (status !== 0) throw new Error(`${program} ended with ${status}`)
}

const up = '../'.repeat(40)

/** All of them. */
export const attacks: readonly Attack[] = [
  named('an absolute path', ({ outside }) => join(outside, 'target'), 'refused'),
  named('an absolute path to a file inside', ({ inside }) => join(inside, 'ok'), 'refused'),
  named('the file of all users', '/etc/passwd', 'refused'),
  named('the environment', '/proc/self/environ', 'refused'),
  named('standard input by its number', '/proc/self/fd/0', 'refused'),
  named('the root by way of the process', '/proc/self/root/etc/passwd', 'refused'),
  named('a device without an end', '/dev/zero', 'refused'),
  named('one folder up', '../outside/target', 'refused'),
  named('up behind a folder that is there', 'sub/../../outside/target', 'refused'),
  named('up behind a folder that is not there', 'none/../../outside/target', 'refused'),
  named('up to the root', `${up}etc/passwd`, 'refused'),
  named('up to the environment', `${up}proc/self/environ`, 'refused'),
  named('a folder whose name begins like ours', '../inside-other/target', 'refused'),
  named('up and back', '../inside/../outside/target', 'refused'),
  named('dots as a browser reads them', '%2e%2e/outside/target', 'missing'),
  named('a slash as a browser reads it', '..%2foutside%2ftarget', 'missing'),
  named('dots and a slash, twice encoded', '%252e%252e%252foutside%252ftarget', 'missing'),
  named('an overlong slash', '..%c0%afoutside%c0%aftarget', 'missing'),
  named('wide dots', '．．/outside/target', 'missing'),
  named('a slash that is none', '..∕outside∕target', 'missing'),
  named('backslashes', '..\\outside\\target', 'refused'),
  named('a drive', 'C:/outside/target', 'refused'),
  named('a share', '\\\\outside\\target', 'refused'),
  named('a stream of a file', 'ok::$DATA', 'missing'),
  named('a NUL behind a good name', 'ok\0../outside/target', 'refused'),
  named('a line break', 'ok\n../outside/target', 'refused'),
  named('home', '~/target', 'refused'),
  named('home of root', '~root/target', 'refused'),
  named('home as a shell has it', '$HOME/target', 'missing'),
  named('home in braces', '${'.concat('HOME}/target'), 'either'),
  named('a command for a shell', '$(cat ../outside/target)', 'missing'),
  named('an address of a file', ({ outside }) => `file://${outside}/target`, 'missing'),
  named('an address of a file from here', 'file:../outside/target', 'either'),
  named('a pattern', '../outs*/target', 'refused'),
  named('a long name', 'x'.repeat(300), 'either'),
  named('a long path', `${'sub/../'.repeat(800)}none`, 'either'),
  named('a dot behind a name', 'ok.', 'missing'),
  named('a space behind a name', 'ok ', 'missing'),
  named('a slash behind a name', 'ok/', 'harmless'),
  named('another case', 'OK', 'missing'),
  named('the folder itself', '.', 'refused'),
  named('nothing', '', 'refused'),
  link('a link to a file', '../outside/target'),
  {
    ...link('a link with the whole path', ''),
    prepare: at => symlinkSync(join(at.outside, 'target'), join(at.inside, 'bad')),
  },
  link('a link in the middle', '../outside', { path: 'bad/target' }),
  link('a link to a folder whose name begins like ours', '../inside-other', { path: 'bad/target' }),
  link('a link to the root in the middle', '/', { path: 'bad/etc/passwd' }),
  link('a link to the process in the middle', '/proc/self', { path: 'bad/environ' }),
  placed('a chain of links', (file, { inside }) => {
    symlinkSync('second', file)
    symlinkSync('sub/third', join(inside, 'second'))
    symlinkSync('../../outside/target', join(inside, 'sub', 'third'))
  }),
  link('a link to nothing', 'none', { ends: 'missing' }),
  link('a link to nothing outside', '../outside/none', { ends: 'either' }),
  link('a link to itself', 'bad'),
  link('a link to the environment', '/proc/self/environ'),
  link('a link to standard input', '/dev/stdin', { ends: 'either' }),
  link('a link to a number', '/proc/self/fd/0', { ends: 'either' }),
  link('a link to a device without an end', '/dev/zero'),
  link('a link to a device without content', '/dev/null'),
  placed('a pipe', file => made('mkfifo', file)),
  placed('a link to a pipe', (file, { outside }) => {
    made('mkfifo', join(outside, 'pipe'))
    symlinkSync('../outside/pipe', file)
  }),
  placed('a socket', file => {
    // From its folder, since the path of a socket is short; ended so that nobody takes it away.
    const listen = `require('net').createServer().listen('bad', () => process.kill(process.pid, 'SIGKILL'))`
    spawnSync(process.execPath, ['-e', listen], { cwd: dirname(file) })
  }),
  placed('a folder', file => mkdirSync(file)),
  placed('an empty file', file => writeFileSync(file, '')),
  placed('a file over the limit', file => writeFileSync(file, Buffer.alloc(64 * 1024 * 1024 + 1, 'x'))),
  placed('a file of a terabyte with nothing in it', file => {
    writeFileSync(file, '')
    truncateSync(file, 2 ** 40)
  }),
  placed(
    'a name that is no UTF-8',
    (_, { inside }) => {
      const name = Buffer.concat([Buffer.from(`${inside}/`), Buffer.from([0xff])])
      symlinkSync('../outside/target', name)
    },
    { path: '\ufffd', ends: 'missing' },
  ),
  placed(
    'a hard link, which is a file like any other',
    (file, { inside }) => linkSync(join(inside, 'ok'), file),
    { ends: 'read' },
  ),
  placed(
    'a file that anybody may write',
    (file, { inside }) => {
      renameSync(join(inside, 'ok'), file)
      chmodSync(file, 0o666)
    },
    { ends: 'read' },
  ),
  link('a link to a file inside', 'sub/../ok', { ends: 'read' }),
  link('a link out and in again', '../inside/ok', { ends: 'read' }),
  named('a way round inside', './sub/.././ok', 'harmless'),
]
