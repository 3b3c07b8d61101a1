import { join } from 'node:path'
import { root } from '../../support/manifests.js'
import { runWords } from './run-words.js'

/** The configuration of an image, as far as it is used. */
export interface ImageConfig {
  readonly User: string
  readonly Entrypoint: readonly string[]
  readonly WorkingDir: string
  readonly Env: readonly string[]
}

/** An image that was built, with its files in a folder. */
export interface BuiltImage {
  readonly mount: string
  readonly config: ImageConfig
}

/** The images of this check, in a storage of their own, so that nothing of them stays among those of whoever runs it. */
export interface Images {
  /** Makes a stand-in for an image of a registry from the files of folders; gives what went wrong. */
  standIn(name: string, ...folders: readonly string[]): string | undefined
  /** Builds a target of the Dockerfile; gives what went wrong where it is not built. */
  build(target: string): BuiltImage | string
}

/** Prepares a storage of images in a folder. */
export function imagesIn(folder: string): Images {
  const storage = ['--root', join(folder, 'storage'), '--runroot', join(folder, 'run')]
  const buildah = (words: readonly string[]) =>
    runWords('buildah', ['--storage-driver', 'vfs', ...storage, ...words])
  return {
    standIn(name, ...folders) {
      const from = buildah(['from', 'scratch']).stdout.trim()
      const steps = [
        ...folders.map(one => ['copy', '--quiet', from, one, '/']),
        ['commit', '--quiet', '--rm', from, name],
      ]
      return steps.map(buildah).find(({ status }) => status !== 0)?.stderr
    },
    build(target) {
      const name = `landform-${target}`
      const bases = ['NODE=localhost/stand-in/node', 'BASE=localhost/stand-in/base']
      const images = bases.flatMap(base => ['--build-arg', base])
      const cached = ['--volume', `${join(folder, 'npm')}:/npm`]
      const how = ['--isolation', 'chroot', '--pull-never', '--target', target, ...images, ...cached]
      const { status, stderr } = buildah(['bud', ...how, '--tag', name, root])
      if (status !== 0) return stderr.slice(-2000)
      const shown: { readonly OCIv1: { readonly config: ImageConfig } } = JSON.parse(
        buildah(['inspect', '--type', 'image', name]).stdout,
      )
      const container = buildah(['from', '--pull-never', name]).stdout.trim()
      return { mount: buildah(['mount', container]).stdout.trim(), config: shown.OCIv1.config }
    },
  }
}
