import type { NamedClass, StorageFault, StoragePreview } from '../plan/placement/storage-preview.js'
import { display } from './display.js'
import type { Paint } from './paint.js'

/** What the cluster has of the storage classes that the manifest names, for people. Ends with a line break. */
export function formatStorage({ classes, others }: StoragePreview, paint: Paint): string {
  const there = classes.filter(({ found }) => found !== undefined).length
  const { length } = classes
  return [
    `${paint('bold', 'Storage classes')}: ${paint(there < length ? 'red' : 'green', `the cluster has ${there} of ${length} that the manifest names.`)}`,
    ...classes.map(one => rowOf(one, paint)),
    ...(others.length > 0 ? [`  Not looked at, for no class makes them: ${others.join(', ')}`] : []),
    '',
  ].join('\n')
}

function rowOf({ name, components, found, faults }: NamedClass, paint: Paint): string {
  const users = components.length > 2 ? `${components.length} volumes` : components.join(', ')
  const [colour, sign] =
    found === undefined
      ? (['red', '-'] as const)
      : faults.length > 0
        ? (['yellow', '!'] as const)
        : (['green', '+'] as const)
  const said = found === undefined ? 'does not exist' : faults.map(fault => faultWords[fault]).join(', ')
  return `  ${paint(colour, sign)} ${display(name)}  ${users}${said === '' ? '' : `: ${said}`}`
}

/** What is not as public sources advise, in words of Landform. */
export const faultWords: Readonly<Record<StorageFault, string>> = {
  'cannot-expand': 'volumes cannot grow',
  'binds-at-once': 'volumes are made before their pods are placed',
  'keeps-volumes': 'volumes are kept when nobody claims them',
}
