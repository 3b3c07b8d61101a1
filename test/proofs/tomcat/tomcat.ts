import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { operations } from '../../../src/contract/operations.js'
import { immediateSpelling, rootResources, stageNames } from '../../../src/contract/responses.js'
import { root } from '../../support/manifests.js'
import { runsHere } from '../../support/program.js'

/** One part of a multipart request, as `getParts` returns it. */
interface ReceivedPart {
  readonly name: string
  readonly fileName: string | null
  readonly type: string | null
  readonly size: number
  readonly sha256: string
}

/** A POST as a servlet reads it. */
export interface ReceivedRequest {
  /** Below the base URL. */
  readonly path: string
  readonly query: string | null
  readonly type: string
  /** The error of the servlet, if it had one. */
  readonly error: string | null
  readonly parts: readonly ReceivedPart[]
  /** As `getParameterMap` returns them, each value with its name. */
  readonly parameters: readonly (readonly [name: string, value: string])[]
}

/** Settings for the encoding of text in requests that name none, by the first path segment of a site's address. */
export const encodings = {
  /** The `web.xml` of Tomcat itself, which sets UTF-8. */
  usual: '',
  filtered: `<filter><filter-name>utf8</filter-name><filter-class>org.apache.catalina.filters.SetCharacterEncodingFilter</filter-class>
    <init-param><param-name>encoding</param-name><param-value>UTF-8</param-value></init-param></filter>
    <filter-mapping><filter-name>utf8</filter-name><url-pattern>/*</url-pattern></filter-mapping>`,
  /** No setting at all: ISO-8859-1 by the specification of servlets. */
  none: '',
  latin: '<request-character-encoding>ISO-8859-1</request-character-encoding>',
} as const
export type Encoding = keyof typeof encodings

/** The encoding in which each reads texts of multipart form data without a `charset` in its type, whatever the parts say. */
export const readings = {
  usual: 'utf8',
  filtered: 'utf8',
  none: 'latin1',
  latin: 'latin1',
} as const satisfies {
  readonly [E in Encoding]: BufferEncoding
}
export type Reading = (typeof readings)[Encoding]

/** A servlet container with any number of sites, each of which accepts one configuration. */
export interface Tomcat {
  readonly version: string
  /** A site at an address that a container redirects to one with a slash at its end. */
  readonly redirectingUrl: string
  /** Returns the address of a new site. */
  newSite(encoding?: Encoding, version?: string): string
  /** Returns the requests that a site has received, oldest first. */
  received(url: string): Promise<readonly ReceivedRequest[]>
  close(): Promise<void>
}

const home = '/usr/share/tomcat10'
const jars = '/usr/share/java'
const nobody = 65_534

/** Tests whether Debian's Tomcat can be started. */
export async function hasTomcat(): Promise<boolean> {
  const needed = [join(home, 'bin', 'bootstrap.jar'), join(home, 'skel', 'conf', 'server.xml')]
  return needed.every(file => existsSync(file)) && (await runsHere(['java', '-version']))
}

/** Starts Debian's Tomcat with its own configuration in an empty folder, as an account without permissions. */
export async function startTomcat(base: string): Promise<Tomcat> {
  for (const name of ['lib', 'logs', 'temp', 'webapps', 'work']) mkdirSync(join(base, name))
  cpSync(join(home, 'skel', 'conf'), join(base, 'conf'), { recursive: true })
  const server = join(base, 'conf', 'server.xml')
  const loopback = readFileSync(server, 'utf8')
    .replace(/<Server port="[^"]*"/, '<Server port="-1"')
    .replace(
      /<Connector port="[^"]*" protocol="HTTP/,
      '<Connector address="127.0.0.1" port="0" protocol="HTTP',
    )
  writeFileSync(server, loopback)
  for (const encoding of Object.keys(encodings) as Encoding[]) deploy(base, encoding, '/*', encoding)
  // Tomcat redirects to the root of an application whose servlet is the default one.
  deploy(base, 'arcgis#admin', '/', 'usual')
  compile(join(base, 'lib'))
  const isRoot = process.getuid?.() === 0
  chmodSync(base, 0o755)
  if (isRoot) execFileSync('chown', ['-R', `${nobody}:${nobody}`, base])
  const child = spawn('java', [...javaOptions(base), 'org.apache.catalina.startup.Bootstrap', 'start'], {
    cwd: base,
    env: { PATH: process.env['PATH'] ?? '' },
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(isRoot && { uid: nobody, gid: nobody }),
  })
  const kill = () => child.kill()
  process.on('exit', kill)
  let port = ''
  let version = ''
  const said: string[] = []
  for await (const line of createInterface({ input: child.stderr })) {
    said.push(line)
    version = /Server version name:\s+(.*)/.exec(line)?.[1] ?? version
    port = /Starting ProtocolHandler \["http-nio-127\.0\.0\.1-auto-\d+-(\d+)"\]/.exec(line)?.[1] ?? ''
    if (port !== '') break
  }
  if (port === '') throw new Error(`Tomcat ended with ${child.exitCode}: ${said.slice(-10).join('\n')}`)
  child.stderr.resume()
  const origin = `http://127.0.0.1:${port}`
  let sites = 0
  return {
    version,
    redirectingUrl: `${origin}/arcgis/admin`,
    newSite(encoding = 'usual', of = '11.3.0') {
      sites += 1
      return `${origin}/${encoding}/${of}-${sites}/admin`
    },
    received: async url => (await (await fetch(`${url}/received`)).json()) as readonly ReceivedRequest[],
    async close() {
      process.off('exit', kill)
      child.kill()
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    },
  }
}

/** Computes the digest that a servlet reports. */
export function digestOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function deploy(base: string, name: string, pattern: string, encoding: Encoding): void {
  const folder = join(base, 'webapps', name)
  mkdirSync(join(folder, 'WEB-INF'), { recursive: true })
  mkdirSync(join(folder, 'META-INF'))
  const defaults = encoding === 'usual' ? '' : ' defaultWebXml="org/apache/catalina/startup/NO_DEFAULT_XML"'
  writeFileSync(join(folder, 'META-INF', 'context.xml'), `<Context${defaults}/>`)
  writeFileSync(
    join(folder, 'WEB-INF', 'web.xml'),
    `<web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.0" metadata-complete="true">${encodings[encoding]}
    <servlet><servlet-name>site</servlet-name><servlet-class>AdminSite</servlet-class><multipart-config/></servlet>
    <servlet-mapping><servlet-name>site</servlet-name><url-pattern>${pattern}</url-pattern></servlet-mapping></web-app>`,
  )
}

/** Compiles the servlet with the compiler that Tomcat has for its pages, so that a Java runtime is enough. */
function compile(folder: string): void {
  const compiler = ['-cp', join(jars, 'eclipse-jdt-core.jar'), 'org.eclipse.jdt.internal.compiler.batch.Main']
  const api = join(home, 'lib', 'servlet-api.jar')
  const source = join(root, 'test', 'proofs', 'tomcat', 'AdminSite.java')
  execFileSync('java', [...compiler, '-17', '-nowarn', '-proc:none', '-d', folder, '-cp', api, source])
}

function javaOptions(base: string): readonly string[] {
  const properties = {
    'catalina.home': home,
    'catalina.base': base,
    'java.io.tmpdir': join(base, 'temp'),
    'user.language': 'en',
    // The default of older versions of Java if no locale is set.
    'file.encoding': 'ISO-8859-1',
    ...Object.fromEntries(
      Object.entries(answers).map(([name, body]) => [`answer ${name}`, JSON.stringify(body)]),
    ),
  }
  const programs = ['bootstrap', 'tomcat-juli'].map(name => join(home, 'bin', `${name}.jar`)).join(':')
  // The largest licenses must not fit into memory.
  return [
    '-Xmx64m',
    '-XX:TieredStopAtLevel=1',
    ...Object.entries(properties).map(([name, value]) => `-D${name}=${value}`),
    '-cp',
    programs,
  ]
}

const rootOf = (status: object) => ({
  fullVersion: 'VERSION',
  resources: rootResources,
  currentVersion: 11,
  status,
  info: { build: '1' },
})
const immediateNames: Readonly<Record<string, string>> = immediateSpelling

/** Responses by the path of a POST, of the root resource before and after, and of other paths. Service §2.1 to §2.3, §4.4. */
const answers: Readonly<Record<string, object>> = {
  before: rootOf({}),
  [operations.configure.path]: rootOf({
    state: 'in_progress',
    message: 'Creating a new organization.',
    warnings: [],
    stages: stageNames.map(name => ({
      name: immediateNames[name] ?? name,
      state: name === 'Cloud Native Storage' ? 'not_applicable' : 'not_started',
      lastUpdated: 1_700_000_000_000,
    })),
  }),
  after: rootOf({
    state: 'ready',
    message: 'The organization was created successfully.',
    warnings: [],
    stages: stageNames.map(name => ({
      name,
      state: name === 'Cloud Native Storage' ? 'not_applicable' : 'completed',
      lastUpdated: 1_700_000_000_000,
      startTime: 1_700_000_000_000,
    })),
  }),
  [operations.update.path]: { status: 'success' },
  [operations.exportSite.path]: { status: 'success', location: '/exports/site.portalsite' },
  none: { error: { code: 404, message: 'Not found', details: null } },
}
