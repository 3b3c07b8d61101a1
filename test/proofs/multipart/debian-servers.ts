import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../../support/raw-server.js'
import { programs } from './line-program.js'
import type { Reader } from './reader.js'
import { serverProgram } from './server-program.js'

const run = promisify(execFile)

/** The server that PHP brings, whose own parser fills `$_POST` and `$_FILES`. */
export async function startPhp(folder: string): Promise<Reader & { readonly port: number }> {
  const port = await freePort()
  const settings = [
    'post_max_size=0',
    'upload_max_filesize=512M',
    'memory_limit=-1',
    `upload_tmp_dir=${folder}`,
  ]
  const reader = await serverProgram({
    command: 'php',
    args: [
      ...settings.flatMap(setting => ['-d', setting]),
      '-S',
      `127.0.0.1:${port}`,
      join(programs, 'read.php'),
    ],
    port,
    says: /started/,
  })
  return { ...reader, port }
}

/** A proxy that takes a body in and sends it on in a framing of its own. */
export async function startNginx(folder: string): Promise<Reader> {
  const [behind, port] = [await startPhp(folder), await freePort()]
  const settings = await readFile(join(programs, 'nginx.conf'), 'utf8')
  const file = join(folder, 'nginx.conf')
  await writeFile(file, settings.replace('PORT', String(port)).replace('BEHIND', String(behind.port)))
  const reader = await serverProgram({
    command: 'nginx',
    args: ['-p', folder, '-e', 'stderr', '-c', file],
    port,
    says: /event method/,
  }).catch(async error => {
    await behind.close()
    throw error
  })
  return {
    ...reader,
    async close() {
      await reader.close()
      await behind.close()
    },
  }
}

/** Compiled first, from nothing but the standard library. */
export async function startGo(folder: string): Promise<Reader> {
  const program = join(folder, 'reader')
  await run('go', ['build', '-o', program, join(programs, 'read.go')], {
    env: { HOME: folder, ...process.env, GO111MODULE: 'off' },
  })
  const port = await freePort()
  return serverProgram({ command: program, args: [String(port)], port, says: /started/ })
}

/** Embedded, with a servlet of ours. */
export async function startTomcat(folder: string): Promise<Reader> {
  const jars = '/usr/share/java'
  const [classes, files] = [join(folder, 'classes'), join(folder, 'files')]
  await Promise.all([mkdir(classes), mkdir(files)])
  // The compiler that Tomcat brings for its pages: a runtime of Java is enough.
  await run('java', [
    ...['-cp', join(jars, 'eclipse-jdt-core.jar'), 'org.eclipse.jdt.internal.compiler.batch.Main'],
    ...['-17', '-proc:none', '-d', classes],
    ...['-cp', ['catalina', 'servlet-api'].map(name => join(jars, `tomcat10-${name}.jar`)).join(':')],
    join(programs, 'TomcatReader.java'),
  ])
  const port = await freePort()
  const args = ['-cp', `${classes}:${jars}/*`, 'TomcatReader', String(port), files]
  return serverProgram({ command: 'java', args, port, says: /^started$/m })
}
