import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { startGo, startNginx, startPhp, startTomcat } from './debian-servers.js'
import { lineProgram, programs } from './line-program.js'
import type { Parser } from './reader.js'

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
