import type { BuiltImage } from './images.js'
import { type Ended, runWords } from './run-words.js'

/** Runs a program of an image, and says how many milliseconds it took. */
export type UseImage = (program: string, words: readonly string[]) => Ended & { readonly took: number }

/** Runs programs of an image as its user, where only the folder of a site is added and nothing can be written. */
export function contained({ mount, config }: BuiltImage, site: string): UseImage {
  const { User: user, WorkingDir: place, Env: variables } = config
  const [uid, gid] = user.split(':')
  return (program, words) => {
    const script = `
      mount --bind ${mount} ${mount}
      mount -t proc proc ${mount}/proc
      mount --rbind /dev ${mount}/dev
      mount --bind ${site} ${mount}${place}
      mount -o remount,bind,ro ${mount}${place}
      mount -o remount,bind,ro ${mount}
      exec chroot ${mount} /usr/bin/setpriv --reuid ${uid} --regid ${gid} --clear-groups --no-new-privs \
        --bounding-set=-all --inh-caps=-all \
        /usr/bin/env -i --chdir=${place} ${variables.map(one => `'${one}'`).join(' ')} "$@"`
    const began = performance.now()
    const ended = runWords('unshare', ['--mount', 'sh', '-ec', script, 'sh', program, ...words])
    return { ...ended, took: Math.round(performance.now() - began) }
  }
}
