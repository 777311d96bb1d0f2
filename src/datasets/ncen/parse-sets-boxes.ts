/** Boxes that are ticked in the form, out of the data sets: these have a column for each, Y or nothing. */
import type { CsvRow } from '../../read/csv.ts'
import type { Made, Plan } from '../../read/made.ts'

/** What the form says, and where, by the column that holds Y for it. */
export type Boxes = Readonly<Record<string, readonly [path: string, word: string]>>

export const boxesAt = (path: string, words: Readonly<Record<string, string>>): Boxes =>
  Object.fromEntries(Object.entries(words).map(([column, word]) => [column, [path, word] as const]))

/** Says what is ticked. */
export function tick(made: Made, row: CsvRow, boxes: Boxes): void {
  for (const column in boxes) {
    const [path, word] = boxes[column]!
    if (row.flag(column)) {
      if (path.includes('@')) made.put(path, word)
      else made.child(path).say(word)
    }
  }
}

/** Answers of one part of the form in a line. */
export interface Answers {
  plan: Plan
  boxes: Boxes
  /** Boxes that the form had not from its beginning: sets of before may lack their columns. */
  later?: Boxes
}

export const columnsOfAnswers = ({ plan, boxes }: Answers): string[] => [...Object.values(plan), ...Object.keys(boxes)]

/** Puts them into an element. @returns whether the line has any */
export function answered(made: Made, row: CsvRow, answers: Answers): boolean {
  made.fill(row, answers.plan)
  tick(made, row, { ...answers.boxes, ...answers.later })
  return columnsOfAnswers(answers).some((column) => row.text(column) !== null)
}
