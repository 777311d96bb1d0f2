/** Changes documents in the ways in which faulty programs, broken connections and careless authors do. */
import type { Random } from '../../../bench/random.ts'
import { FRAGMENTS } from './fragments.ts'

type Mutation = (source: Buffer, random: Random) => Buffer

const latin1 = (text: string) => Buffer.from(text, 'latin1')

const at = (source: Buffer, random: Random) => random.below(source.length + 1)

const put = (source: Buffer, from: number, to: number, piece: Uint8Array) =>
  Buffer.concat([source.subarray(0, from), piece, source.subarray(to)])

/** Returns one tag of the document, from `<` to after `>`, or the whole document if it has none. */
function tag(source: Buffer, random: Random): [from: number, to: number] {
  const from = source.indexOf('<', random.below(source.length))
  const to = from < 0 ? -1 : source.indexOf('>', from)
  return to < 0 ? [0, source.length] : [from, to + 1]
}

const asText =
  (change: (text: string, random: Random) => string): Mutation =>
  (source, random) =>
    latin1(change(source.toString('latin1'), random))

/** Replaces one of the matches of a pattern. */
const replaced = (pattern: RegExp, by: (found: string, random: Random) => string): Mutation =>
  asText((text, random) => {
    const found = [...text.matchAll(pattern)]
    if (found.length === 0) return text
    const one = found[random.below(found.length)]!
    return text.slice(0, one.index) + by(one[0], random) + text.slice(one.index + one[0].length)
  })

const declared = (declaration: string): Mutation =>
  asText((text) => declaration + text.replace(/^\s*<\?xml[^>]*\?>/, ''))

/** Functions that each change a document in one way, by their effect. */
export const MUTATIONS: Readonly<Record<string, Mutation>> = {
  'a byte is another': (source, random) => {
    const copy = Buffer.from(source)
    if (copy.length > 0) copy[random.below(copy.length)] = random.below(256)
    return copy
  },
  'a bit is flipped': (source, random) => {
    const copy = Buffer.from(source)
    if (copy.length > 0) copy[random.below(copy.length)]! ^= 1 << random.below(8)
    return copy
  },
  'a byte is lost': (source, random) => {
    const from = random.below(source.length)
    return put(source, from, from + 1, latin1(''))
  },
  'the end is cut off': (source, random) => source.subarray(0, at(source, random)),
  'the beginning is cut off': (source, random) => source.subarray(at(source, random)),
  'a part is lost': (source, random) => {
    const from = at(source, random)
    return put(source, from, Math.min(source.length, from + random.below(100)), latin1(''))
  },
  'a part is there twice': (source, random) => {
    const from = at(source, random)
    const to = Math.min(source.length, from + random.below(200))
    return put(source, to, to, source.subarray(from, to))
  },
  'a tag is lost': (source, random) => put(source, ...tag(source, random), latin1('')),
  'two tags are swapped': (source, random) => {
    const [[a, b], [c, d]] = [tag(source, random), tag(source, random)].sort(([x], [y]) => x - y) as [
      [number, number],
      [number, number],
    ]
    if (b > c) return source
    return Buffer.concat([
      ...[source.subarray(0, a), source.subarray(c, d), source.subarray(b, c)],
      ...[source.subarray(a, b), source.subarray(d)],
    ])
  },
  'something is put in anywhere': (source, random) => {
    const place = at(source, random)
    return put(source, place, place, random.pick(FRAGMENTS))
  },
  'something is put in behind a tag': (source, random) => {
    const [, to] = tag(source, random)
    return put(source, to, to, random.pick(FRAGMENTS))
  },
  'something is put into a tag': (source, random) => {
    const [from, to] = tag(source, random)
    const place = from + random.below(to - from)
    return put(source, place, place, random.pick(FRAGMENTS))
  },
  'something is put in before and after all': (source, random) =>
    Buffer.concat([random.pick(FRAGMENTS, 4), source, random.pick(FRAGMENTS)]),
  'an attribute is added': replaced(/<[\w:.-]+/g, (found, random) => {
    const [name, quote] = [
      random.pick(['a', 'b:c', 'xmlns', 'xmlns:b', 'xml:space', 'xsi:nil', 'A']),
      random.pick(['"', "'"]),
    ]
    return `${found} ${name}${random.pick(['=', ' = ', '\n=\r\n', ''], 3)}${quote}${random.pick(['u', '', '1&amp;2', 'a\tb', '&'])}${quote}`
  }),
  'an attribute is there twice': replaced(
    / [\w:.-]+="[^"]*"/g,
    (found, random) => found + random.pick([found, `${found} `, found.trim()]),
  ),
  'a tag has another name': replaced(
    /<\/?[\w:.-]+/g,
    (found, random) => found + random.pick(['x', ':x', '.', '-', '&', '\x07']),
  ),
  'a prefix is another': replaced(/(?<=<\/?|\sxmlns:)\w+(?=[:=])/g, (found, random) =>
    random.pick([found + 'x', 'xml', 'xmlns', '']),
  ),
  'a text is another': replaced(
    /(?<=>)[^<>]+(?=<)/g,
    (found, random) => found + random.pick(FRAGMENTS).toString('latin1'),
  ),
  'line ends are replaced by those of another operating system': asText((text, random) =>
    text.replace(/\r?\n/g, random.pick(['\r\n', '\r', '\r\r\n'])),
  ),
  'a byte order mark is first': (source) => Buffer.concat([Buffer.from('\ufeff'), source]),
  'the declaration says UTF-8': declared('<?xml version="1.0" encoding="UTF-8"?>'),
  'the declaration says ISO-8859-1': declared('<?xml version="1.0" encoding="ISO-8859-1"?>\n'),
  'the declaration is unusual': (source, random) =>
    declared(
      random.pick([
        ...[
          "<?xml version='1.0'?>",
          '<?xml version="1.1"?>',
          '<?xml version="2.0"?>',
          '<?xml version = "1.0" standalone = \'yes\' ?>',
        ],
        ...[
          '<?xml version="1.0" standalone="maybe"?>',
          '<?xml encoding="UTF-8"?>',
          '<?xml version="1.0"encoding="UTF-8"?>',
        ],
        ...[
          '<?xml version="1.0" standalone="no" encoding="UTF-8"?>',
          '<?xml version="1.0" other="1"?>',
          '<?xml version="1."?>',
        ],
        ...[
          '<?xml version="1.0" encoding="UTF 8"?>',
          '<?xml version="1.0" encoding=""?>',
          '<?xml version="1.0">',
          '<?xml?>',
          '<?xml ?>',
        ],
        ...[
          '<?xml version="1.0" version="1.0"?>',
          '<?xml version="1.0\'?>',
          '<?xmlversion="1.0"?>',
          '<?xml version="1.0"??>',
          '<?XML version="1.0"?>',
        ],
      ]),
    )(source, random),
  'the bytes of UTF-8 were taken for cp1252': (source) => Buffer.from(source.toString('latin1')),
}
