import type { Disk, DiskFile } from '../../../src/state/machine.js'
import { everyRecipe } from './recipe.js'

/** The real write procedure with a mistake that other programs make. */
export const diskMutants: Readonly<Record<string, (disk: Disk) => Disk>> = {
  'does not flush files': disk => opening(disk, (file, isNew) => (isNew ? { ...file, sync: nothing } : file)),
  'does not flush folders': disk =>
    opening(disk, (file, isNew) => (isNew ? file : { ...file, sync: nothing })),
  'ignores a failed flush': disk =>
    opening(disk, file => ({ ...file, sync: () => file.sync().catch(nothing) })),
  'links a file before it is flushed': disk => {
    let late = nothing
    return {
      ...opening(disk, (file, isNew) => {
        if (!isNew) return file
        late = () => file.sync()
        return { ...file, sync: nothing }
      }),
      async link(file, path) {
        await disk.link(file, path)
        await late()
      },
    }
  },
  'writes in place': disk => {
    let written = ''
    return {
      ...opening(disk, (file, isNew) => {
        if (!isNew) return file
        const writeFile = async (text: string) => {
          written = text
        }
        return { ...file, writeFile }
      }),
      async link(_, path) {
        const file = await disk.open(path, 'wx', 0o600)
        await file.writeFile(written)
        await file.sync()
      },
    }
  },
}

/** Finds the first single mishap that shows a mistake. */
export async function recipeKiller(
  change: ((disk: Disk) => Disk) | undefined,
): Promise<{ readonly courses: number; readonly violation: string } | undefined> {
  let courses = 0
  for await (const { written } of everyRecipe('no', change)) {
    courses += 1
    const [violation] = written.violations
    if (violation !== undefined) return { courses, violation }
  }
  return undefined
}

async function nothing(): Promise<void> {}

function opening(disk: Disk, change: (file: DiskFile, isNew: boolean) => DiskFile): Disk {
  return {
    ...disk,
    async open(path, flags, mode) {
      return change(await disk.open(path, flags, mode), flags === 'wx')
    },
  }
}
