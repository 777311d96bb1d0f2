/** Rebuilds ticked boxes of the form from the data sets, which have a column for each, with Y or nothing. */
import type { CsvRow } from '../../../read/csv.ts'
import type { Made, Plan } from '../../../read/made.ts'

/** The form's word and its path, by the column that has Y for it. */
export type Boxes = Readonly<Record<string, readonly [path: string, word: string]>>

export const boxesAt = (path: string, words: Readonly<Record<string, string>>): Boxes =>
  Object.fromEntries(Object.entries(words).map(([column, word]) => [column, [path, word] as const]))

/** Adds the words of ticked boxes. */
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
  /** Boxes that later versions of the form added: older sets may lack their columns. */
  later?: Boxes
}

export const columnsOfAnswers = ({ plan, boxes }: Answers): string[] => [...Object.values(plan), ...Object.keys(boxes)]

/** Adds the answers to an element. @returns whether the line has any */
export function answered(made: Made, row: CsvRow, answers: Answers): boolean {
  made.fill(row, answers.plan)
  tick(made, row, { ...answers.boxes, ...answers.later })
  return columnsOfAnswers(answers).some((column) => row.text(column) !== null)
}
