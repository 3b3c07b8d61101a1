import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../support/http-double.js'
import { startService } from '../../support/real/service.js'

/** A web application firewall in front of a server, with the rules of its distribution. */
export interface Firewall {
  readonly url: string
  /** The rules that matched so far, each with its reason. */
  matched(): readonly string[]
  stop(): Promise<void>
}

const recommended = '/etc/modsecurity/modsecurity.conf-recommended'
const rules = '/usr/share/modsecurity-crs/rules'

/** A kind of firewall, from Debian's packages. */
interface Kind {
  readonly name: string
  readonly packages: string
  readonly program: string
  readonly files: readonly string[]
  words(config: string): readonly string[]
  config(folder: string, port: number, origin: string): string
}

/** Enables the rules, and adds one that clouds use: it blocks requests without a user agent. */
const policy = (folder: string) => `SecRuleEngine On
SecTmpDir ${folder}
SecDataDir ${folder}
SecAuditLog ${folder}/audit
SecRule &REQUEST_HEADERS:User-Agent "@eq 0" "id:1,phase:1,deny,status:403"
`

const apacheModules = '/usr/lib/apache2/modules'
const apacheNames = ['mpm_event', 'authz_core', 'authz_user', 'proxy', 'proxy_http', 'unique_id', 'security2']

/** The firewalls, with the rules that Debian has for them: ModSecurity 2 in Apache and 3 in nginx. */
export const firewalls: readonly Kind[] = [
  {
    name: 'Apache with ModSecurity 2',
    packages: 'apache2 libapache2-mod-security2 modsecurity-crs',
    program: '/usr/sbin/apache2',
    files: [recommended, rules, join(apacheModules, 'mod_security2.so')],
    words: config => ['-f', config, '-DFOREGROUND'],
    config: (folder, port, origin) => `ServerRoot ${folder}
ServerName localhost
Listen 127.0.0.1:${port}
PidFile ${folder}/pid
ErrorLog ${folder}/errors
Mutex file:${folder} default
${apacheNames.map(name => `LoadModule ${name}_module ${apacheModules}/mod_${name}.so`).join('\n')}
${process.getuid?.() === 0 ? 'User www-data\nGroup www-data' : ''}
StartServers 1
Include ${recommended}
Include /etc/modsecurity/crs/crs-setup.conf
Include ${rules}/*.conf
${policy(folder)}ProxyPass / ${origin}/
`,
  },
  {
    name: 'nginx with ModSecurity 3',
    packages: 'nginx libnginx-mod-http-modsecurity modsecurity-crs',
    program: '/usr/sbin/nginx',
    files: ['/etc/nginx/modsecurity.conf', rules, '/usr/lib/nginx/modules/ngx_http_modsecurity_module.so'],
    words: config => ['-c', config, '-g', 'daemon off;'],
    config: (folder, port, origin) => {
      const lines = ['/etc/nginx/modsecurity.conf', '/etc/modsecurity/crs/crs-setup.conf', `${rules}/*.conf`]
      writeFileSync(
        join(folder, 'rules'),
        `${lines.map(file => `Include ${file}\n`).join('')}${policy(folder)}`,
      )
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      return `load_module /usr/lib/nginx/modules/ngx_http_modsecurity_module.so;
pid ${folder}/pid;
error_log ${folder}/errors;
${process.getuid?.() === 0 ? 'user www-data;' : ''}
events {}
http {
access_log off;
client_max_body_size 80m;
${temporary.map(name => `${name}_temp_path ${folder}/${name};`).join('\n')}
server { listen 127.0.0.1:${port}; modsecurity on; modsecurity_rules_file ${folder}/rules; location / { proxy_pass ${origin}; } }
}
`
    },
  },
]

/** Tests whether all files of a firewall are installed. */
export function isInstalled({ program, files }: Kind): boolean {
  return [program, ...files].every(file => existsSync(file))
}

/** Starts a firewall in front of a server, with its files in the folder. */
export async function startFirewall(kind: Kind, origin: string, folder: string): Promise<Firewall> {
  // The firewall runs as an account other than root.
  chmodSync(folder, 0o777)
  const port = await freePort()
  const config = join(folder, 'config')
  writeFileSync(config, kind.config(folder, port, origin))
  const url = `http://127.0.0.1:${port}`
  const { stop } = await startService('firewall', [kind.program, ...kind.words(config)], {
    folder,
    isReady: async () => (await fetch(url)).status > 0,
  })
  const matched = () => {
    // Only the audit log of version 3 has the rules that add to a score.
    const log = ['errors', 'audit'].map(name => join(folder, name)).filter(file => existsSync(file))
    const found = log.flatMap(file => [
      ...readFileSync(file, 'utf8').matchAll(/\[id "(\d+)"\].*?\[msg "([^"]*)"\](?: \[data "([^"]*)"\])?/g),
    ])
    return [...new Set(found.map(([, id, message, data = '']) => `rule ${id}: ${message} ${data}`))]
  }
  return { url, matched, stop: () => stop('SIGTERM') }
}
