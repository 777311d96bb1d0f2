/** Figures that were measured when a reader read a pile for the first time, before any rule was added for the pile. */
import type { SetName } from './pile.ts'
import type { Counts } from './score.ts'

export interface Recorded extends Counts {
  set: SetName
  reader: string
  /** The name of the pile. */
  name: string
  /** `first` before any rule was added for the pile; `later` with the rules of that time, if its truth was not kept. */
  when: 'first' | 'later'
}

const first = (
  set: SetName,
  reader: string,
  name: string,
  [typed, right, wrong]: readonly [number, number, number],
  when: Recorded['when'] = 'first',
): Recorded => ({ set, reader, name, when, typed, right, wrong, read: right + wrong })

/** These figures come from the READMEs of the slices. The typed facts of piles without a row `now` were not kept. */
export const RECORDED: readonly Recorded[] = [
  first('held out', 'eightk notices', '31 reports, first', [204, 102, 10]),
  first('held out', 'eightk notices', '31 reports, second', [123, 77, 5]),
  first('held out', 'eightk notices', '30 reports, third', [126, 92, 5]),
  first('held out', 'eightk officers', '50 items 5.02', [458, 391, 2]),
  first('held out', 'eightk officers', '37 items 5.02', [430, 336, 4]),
  first('held out', 'eightk officers', '46 items 5.02', [401, 353, 6]),
  first('held out', 'eightk officers', '10 items 5.02', [120, 112, 0]),
  first('held out', 'eightk results', '32 releases', [112, 91, 1]),
  first('held out', 'eightk results', '15 releases', [46, 35, 4]),
  first('held out', 'eightk facts', '12 items 3.01', [62, 48, 11]),
  first('held out', 'proxies', '22 statements: days, kinds', [66, 51, 0]),
  first('held out', 'proxies', '22 statements: days, kinds', [66, 63, 0], 'later'),
  first('held out', 'proxies', '22 statements: lists', [22, 2, 4]),
  first('held out', 'proxies', '22 statements: lists', [22, 22, 0], 'later'),
  first('held out', 'proxies', '22 statements: advice', [119, 26, 0]),
  first('held out', 'proxies', '22 statements: advice', [119, 96, 0], 'later'),
  first('held out', 'eightk officers', '38 items 5.02', [174, 157, 7]),
  first('held out', 'eightk officers', '18 items 5.02, last', [94, 83, 7]),
  first('held out', 'eightk results', '14 items 2.02', [31, 29, 0]),
  first('held out', 'eightk results', '18 releases', [86, 84, 0]),
  first('newest', 'eightk officers', 'reports', [124, 100, 16]),
  first('newest', 'eightk results', 'reports', [51, 50, 0]),
  first('newest', 'eightk results', 'releases', [44, 34, 0]),
  first('newest', 'eightk facts', 'reports', [6, 6, 0]),
  first('newest', 'eightk votes', 'reports', [33, 33, 0]),
]
