/**
 * Reading and looking elsewhere are two things: who follows a citation, a link or the contents is away, and the place
 * that was read stays at hand until it is gone back to, or until reading on shows that the new place is the one.
 */

export type Journey = {
  /** Where reading was left off; null while reading. */
  left: number | null
  /** Pages turned since. */
  turns: number
}
export const READING: Journey = { left: null, turns: 0 }
const SETTLED = 3 // pages turned at the new place until it is the one that is read

/** Return the journey after a jump from `from`: the first place left is the one to come back to. */
export function jumped(journey: Journey, from: number | null): Journey {
  return { left: journey.left ?? from, turns: 0 }
}

/** Return the journey after a page was turned. */
export function turned(journey: Journey): Journey {
  if (journey.left === null) return journey
  return journey.turns + 1 >= SETTLED ? READING : { ...journey, turns: journey.turns + 1 }
}

/** Return the place that is to be remembered: the one that is read, wherever the view is. */
export function readingPlace(journey: Journey, view: number): number {
  return journey.left ?? view
}
