import { aMistake } from './chapters/a-mistake.js'
import { aPlanTooLate } from './chapters/a-plan-too-late.js'
import { aRepository } from './chapters/a-repository.js'
import { aReview } from './chapters/a-review.js'
import { aRunnerDies } from './chapters/a-runner-dies.js'
import { afterwards } from './chapters/afterwards.js'
import { drift } from './chapters/drift.js'
import { played, type Told } from './story.js'
import { newWorld } from './world.js'

const chapters = [aRepository, aMistake, aReview, aRunnerDies, aPlanTooLate, drift, afterwards]

/** Plays the whole story in an empty folder, and gives what was told; `listen` hears it as it comes. */
export async function rehearsed(
  folder: string,
  listen: (piece: Told) => void = () => undefined,
): Promise<readonly Told[]> {
  const world = await newWorld(folder)
  const told: Told[] = []
  try {
    await played(chapters, world, piece => {
      told.push(piece)
      listen(piece)
    })
  } finally {
    world.close()
  }
  return told
}
