/** Compares a fact of a notice that a person typed with the fact that the program read. */

type Named = readonly [name: string, value: string]

/** Facts for which a person may choose a different first or last word: "the shares of Alpha, Inc." and "Alpha, Inc." */
const WORDED = ['agreement', 'acquired', 'disposed']
const plain = (words: string) =>
  words
    .toLowerCase()
    .replace(/^(?:the|an?) /, '')
    .replace(/[.,’'”“"]/g, '')

export const isSameNotice = ([name, value]: Named, [other, read]: Named): boolean =>
  name === other &&
  (plain(value) === plain(read) ||
    (WORDED.includes(name) && (plain(value).includes(plain(read)) || plain(read).includes(plain(value)))))
