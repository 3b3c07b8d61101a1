// The cluster of a page, for kubectl: a real API server, and a node. It ends with the page. Its folder is the first line once it
// is there.
import { chmodSync, copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'

const { PROJECT, TERMINAL } = process.env
// Recordings are read from the folder of the project.
process.chdir(PROJECT)
const { startCluster } = await import(`${PROJECT}/dist/test/support/real/cluster.js`)
const folder = join(TERMINAL, '.cluster')
// The pods run as another user.
chmodSync(TERMINAL, 0o711)
const cluster = await startCluster(folder)
mkdirSync(join(TERMINAL, '.kube'), { recursive: true })
copyFileSync(cluster.kubeconfig, join(TERMINAL, '.kube', 'config'))
cluster.attend(join(folder, 'logs'))
console.log(folder)
