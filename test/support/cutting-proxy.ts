import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'

/** What the proxy does with a POST: nothing reaches the site, or the site's answer is lost. */
export type Cut = 'before-the-site' | 'after-the-site'

/**
 * A proxy on loopback that passes everything on, but cuts the connection of each POST. Counts them, so that a
 * test sees a request that was sent twice.
 */
export async function cuttingProxy(target: string, cut: Cut) {
  const { hostname, port, pathname } = new URL(target)
  let posts = 0
  const sockets = new Set<Socket>()
  const server = createServer(client => {
    sockets.add(client)
    client.on('error', () => undefined)
    const site = connect(Number(port), hostname)
    sockets.add(site)
    site.on('error', () => client.destroy())
    client.on('close', () => site.destroy())
    site.pipe(client)
    client.on('data', chunk => {
      const text = chunk.toString('latin1')
      const isPost = text.startsWith('POST')
      if (isPost) posts += 1
      if (isPost && cut === 'before-the-site') return client.destroy()
      if (isPost)
        site
          .unpipe(client)
          .once('data', () => client.destroy())
          .resume()
      // The site checks that it is asked under its own name.
      return site.write(text.replace(/^host: .*$/im, `host: ${hostname}:${port}`), 'latin1')
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`,
    posts: () => posts,
    close: () =>
      new Promise<void>(resolve => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
}
