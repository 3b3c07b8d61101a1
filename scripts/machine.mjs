import { cpus } from 'node:os'

/** Describes the machine of a measurement. */
export function machine() {
  const [{ model }] = cpus()
  const node = `${process.version} (${process.platform} ${process.arch})`
  return { date: new Date().toISOString().slice(0, 10), cores: cpus().length, processor: model, node }
}
