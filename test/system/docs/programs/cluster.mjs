// Starts the cluster of a page: a real API server and a node. Prints its folder once it is ready. It ends with the page.
import { chmodSync, copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'

const { PROJECT, TERMINAL } = process.env
// Recordings are read relative to the project.
process.chdir(PROJECT)
const { startCluster } = await import(`${PROJECT}/dist/test/support/real/cluster.js`)
const folder = join(TERMINAL, '.cluster')
// Pods run as another user.
chmodSync(TERMINAL, 0o711)
const cluster = await startCluster(folder)
mkdirSync(join(TERMINAL, '.kube'), { recursive: true })
copyFileSync(cluster.kubeconfig, join(TERMINAL, '.kube', 'config'))
cluster.attend(join(folder, 'logs'))
console.log(folder)
