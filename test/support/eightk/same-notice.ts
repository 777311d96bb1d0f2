/** Compares a typed fact of a notice with a read one. */

type Named = readonly [name: string, value: string]

/** Facts whose words a person may begin or end otherwise: "the shares of Alpha, Inc." and "Alpha, Inc." */
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
