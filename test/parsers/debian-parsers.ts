import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from '../support/manifests.js'
import { freePort } from '../support/raw-server.js'
import { lineProgram } from './line-program.js'
import type { Parser, Reader } from './reader.js'
import { serverProgram } from './server-program.js'

const run = promisify(execFile)
const programs = join(root, 'test', 'parsers', 'programs')

/** That of the system: another one on the path has none of the packages of Debian. */
export const python = existsSync('/usr/bin/python3') ? '/usr/bin/python3' : 'python3'

/** The parsers of other languages and servers. */
export const debianParsers: readonly Parser[] = [
  pythonParser('Python email', { module: 'email', packages: 'python3' }),
  pythonParser('Python cgi', { module: 'cgi', packages: 'python3' }),
  pythonParser('Werkzeug', { module: 'werkzeug', packages: 'python3-werkzeug' }),
  pythonParser('Django', { module: 'django', packages: 'python3-django' }),
  {
    ...pythonParser('python-multipart', { module: 'multipart', packages: 'python3-multipart' }),
    readsForms: false,
  },
  perlParser('Perl CGI.pm', { module: 'CGI', file: 'read_cgi.pl', packages: 'libcgi-pm-perl' }),
  perlParser('Perl HTTP::Body', {
    module: 'HTTP::Body',
    file: 'read_http_body.pl',
    packages: 'libhttp-body-perl',
  }),
  {
    name: 'Ruby Rack',
    readsForms: true,
    needs: { packages: 'ruby-rack', probe: ['ruby', '-rrack', '-e', '1'] },
    start: async () => lineProgram('ruby', [join(programs, 'read_rack.rb')]),
  },
  {
    name: 'PHP',
    readsForms: true,
    needs: { packages: 'php-cli', probe: ['php', '--version'] },
    start: startPhp,
  },
  {
    name: 'PHP behind nginx',
    readsForms: true,
    needs: { packages: 'nginx-light php-cli', probe: ['sh', '-c', 'php --version && nginx -v'] },
    start: startNginx,
  },
  {
    name: 'Go mime/multipart',
    readsForms: true,
    isSlow: true,
    needs: { packages: 'golang-go', probe: ['go', 'version'] },
    start: startGo,
  },
  {
    name: 'Tomcat',
    readsForms: true,
    isSlow: true,
    needs: {
      packages: 'libtomcat10-java default-jre-headless',
      probe: ['sh', '-c', 'java -version && ls /usr/share/java/tomcat10-catalina.jar'],
    },
    start: startTomcat,
  },
]

interface Module {
  readonly module: string
  readonly packages: string
}

function pythonParser(name: string, { module, packages }: Module): Parser {
  const file = join(programs, `read_${name.replace('Python ', '').replace('-', '_').toLowerCase()}.py`)
  return {
    name,
    readsForms: true,
    needs: { packages, probe: [python, '-W', 'ignore', '-c', `import ${module}`] },
    // Without the compiled copies that it would leave beside its programs.
    start: async () => lineProgram(python, ['-B', '-W', 'ignore', file]),
  }
}

function perlParser(name: string, { module, file, packages }: Module & { readonly file: string }): Parser {
  return {
    name,
    readsForms: true,
    needs: { packages, probe: ['perl', `-M${module}`, '-e', '1'] },
    start: async () => lineProgram('perl', ['-I', programs, join(programs, file)]),
  }
}

async function startPhp(folder: string): Promise<Reader & { readonly port: number }> {
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

async function startNginx(folder: string): Promise<Reader> {
  const [behind, port] = [await startPhp(folder), await freePort()]
  const settings = await readFile(join(programs, 'nginx.conf'), 'utf8')
  const file = join(folder, 'nginx.conf')
  await writeFile(file, settings.replace('PORT', String(port)).replace('BEHIND', String(behind.port)))
  const reader = await serverProgram({
    command: 'nginx',
    args: ['-p', folder, '-e', 'stderr', '-c', file],
    port,
    says: /event method/,
  })
  return {
    ...reader,
    async close() {
      await reader.close()
      await behind.close()
    },
  }
}

async function startGo(folder: string): Promise<Reader> {
  const program = join(folder, 'reader')
  await run('go', ['build', '-o', program, join(programs, 'read.go')], {
    env: { HOME: folder, ...process.env, GO111MODULE: 'off' },
  })
  const port = await freePort()
  return serverProgram({ command: program, args: [String(port)], port, says: /started/ })
}

async function startTomcat(folder: string): Promise<Reader> {
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
