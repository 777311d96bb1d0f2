/**
 * Changes to a generated world between two days or two uploads, for tests that check that a load notices the changes.
 */
import { type Answers, type Firm, withTotal } from './firm.ts'
import type { Month } from './month.ts'
import type { Person } from './people.ts'
import { dayName, dayNumber } from './random.ts'
import type { Filing, World } from './world.ts'

/**
 * Returns the same world some days later, without other changes. Later changes to the returned world do not change the
 * original.
 */
export function later(world: World, days = 1): World {
  const day = dayName(dayNumber(world.day) + days)
  return { ...world, day, firms: [...world.firms], people: { ...world.people } }
}

/** Removes the firm from all feeds. Returns the removed firm, which `addFirm` can add again. */
export function dropFirm(world: World, crd: number): Firm {
  const at = world.firms.findIndex((firm) => firm.crd === crd)
  if (at < 0) throw new Error(`there is no firm ${crd}`)
  return world.firms.splice(at, 1)[0]!
}

/** Adds a firm that is new or has returned. */
export function addFirm(world: World, firm: Firm): void {
  world.firms.push(firm)
}

/** Replaces facts of a firm, as an amendment filed on the world's current day would. Returns the changed firm. */
export function changeFirm(world: World, crd: number, change: Partial<Firm> & { set?: Answers; raum?: number }): Firm {
  const at = world.firms.findIndex((firm) => firm.crd === crd)
  const firm = world.firms[at]
  if (!firm) throw new Error(`there is no firm ${crd}`)
  const { set = {}, raum, ...facts } = change
  const answers = (): Answers => {
    const before = { ...firm.answers(), ...set }
    return raum === undefined ? before : { ...before, ...withTotal(before, raum) }
  }
  const changed = { ...firm, filed: world.day, answers, ...facts }
  world.firms[at] = changed
  return changed
}

/** Replaces people; null removes a person. The index is the position in the feed, from 0. */
export function changePeople(world: World, change: (person: Person, index: number) => Person | null): void {
  const { at } = world.people
  world.people.at = (index) => {
    const person = at(index)
    return person && change(person, index)
  }
}

/** Adds people at the end of the feed. */
export function addPeople(world: World, added: readonly Person[]): void {
  const { at, count } = world.people
  world.people = {
    ...world.people,
    count: count + added.length,
    at: (index) => (index < count ? at(index) : added[index - count]!),
  }
}

/**
 * Returns the month with some filings changed; if `change` returns null, the filing is removed. For a restatement, pass
 * the result to `publishMonth` with `uploadedOn`.
 */
export function changeMonth(month: Month, change: (filing: Filing) => Filing | null): Month {
  return { ...month, filings: month.filings.map(change).filter((filing) => filing !== null) }
}

/** Returns a value for `header` that renames columns in the files whose name ends with `member`. */
export function renamed(member: string, names: Readonly<Record<string, string>>) {
  return (file: string, columns: readonly string[]) =>
    file.endsWith(member) ? columns.map((column) => names[column] ?? column) : columns
}
