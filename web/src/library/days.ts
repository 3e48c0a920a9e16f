/** Days of reading as columns of weeks: pure functions. */

export type Day = { date: string; characters: number }

const DAY = 86_400_000

/** Return the last `count` weeks up to a day, each from Monday on; days that lie ahead are left out. */
export function weeks(days: readonly Day[], today: Date, count: number): Day[][] {
  const read = new Map(days.map(day => [day.date, day.characters]))
  const last = Date.UTC(today.getFullYear(), today.getMonth(), today.getDate())
  const monday = last - ((new Date(last).getUTCDay() + 6) % 7) * DAY
  const columns: Day[][] = []
  for (let week = monday - (count - 1) * 7 * DAY; week <= monday; week += 7 * DAY) {
    const column: Day[] = []
    for (let day = week; day < week + 7 * DAY && day <= last; day += DAY) {
      const date = new Date(day).toISOString().slice(0, 10)
      column.push({ date, characters: read.get(date) ?? 0 })
    }
    columns.push(column)
  }
  return columns
}

/** Return how dark a day is drawn, 0 (nothing was read) to 4 (as much as on the best day). */
export function shade(characters: number, most: number): 0 | 1 | 2 | 3 | 4 {
  if (characters <= 0 || most <= 0) return 0
  return Math.min(4, Math.max(1, Math.ceil((4 * characters) / most))) as 1 | 2 | 3 | 4
}
