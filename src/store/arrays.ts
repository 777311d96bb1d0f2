/**
 * Arrays of PostgreSQL's own types. Without this list, the driver would query at each new connection which types are
 * arrays. That query takes 3 ms of the server's processor time and 1.5 ms of ours, because each table has an array
 * type. The driver would also read a null in an array as the text `NULL`. The list can be fixed, since the numbers of
 * these types never change.
 */

/** The driver's conversions of values, by the number of their type. */
interface Handlers {
  parsers: Record<number, (value: string) => unknown>
  serializers: Record<number, (value: unknown) => unknown>
}

/**
 * The type of elements, and the type of their array: `select oid, typarray from pg_type`. Two kinds are left out, since
 * no answer has them. They are box, the only type whose elements are separated by semicolons, and types that a database
 * defines itself.
 */
// biome-ignore format: related types share a line
const ARRAYS: Readonly<Record<string, readonly [element: number, array: number]>> = {
  bool: [16, 1000], bytea: [17, 1001], char: [18, 1002], name: [19, 1003], text: [25, 1009], bpchar: [1042, 1014],
  varchar: [1043, 1015], cstring: [2275, 1263], bit: [1560, 1561], varbit: [1562, 1563], uuid: [2950, 2951],
  int2: [21, 1005], int4: [23, 1007], int8: [20, 1016], numeric: [1700, 1231], float4: [700, 1021],
  float8: [701, 1022], money: [790, 791], date: [1082, 1182], time: [1083, 1183], timetz: [1266, 1270],
  timestamp: [1114, 1115], timestamptz: [1184, 1185], interval: [1186, 1187], json: [114, 199],
  jsonb: [3802, 3807], jsonpath: [4072, 4073], xml: [142, 143], record: [2249, 2287],
  oid: [26, 1028], regproc: [24, 1008], regprocedure: [2202, 2207], regoper: [2203, 2208],
  regoperator: [2204, 2209], regclass: [2205, 2210], regtype: [2206, 2211], regrole: [4096, 4097],
  regnamespace: [4089, 4090], regcollation: [4191, 4192], regconfig: [3734, 3735], regdictionary: [3769, 3770],
  tid: [27, 1010], xid: [28, 1011], xid8: [5069, 271], cid: [29, 1012], pg_lsn: [3220, 3221],
  pg_snapshot: [5038, 5039], txid_snapshot: [2970, 2949], refcursor: [1790, 2201], aclitem: [1033, 1034],
  int2vector: [22, 1006], oidvector: [30, 1013], tsvector: [3614, 3643], gtsvector: [3642, 3644],
  tsquery: [3615, 3645], inet: [869, 1041], cidr: [650, 651], macaddr: [829, 1040], macaddr8: [774, 775],
  point: [600, 1017], lseg: [601, 1018], path: [602, 1019], polygon: [604, 1027], line: [628, 629],
  circle: [718, 719], int4range: [3904, 3905], numrange: [3906, 3907], tsrange: [3908, 3909],
  tstzrange: [3910, 3911], daterange: [3912, 3913], int8range: [3926, 3927], int4multirange: [4451, 6150],
  nummultirange: [4532, 6151], tsmultirange: [4533, 6152], tstzmultirange: [4534, 6153],
  datemultirange: [4535, 6155], int8multirange: [4536, 6157],
}

/** Adds readers and writers of arrays to the readers and writers of their elements. */
export function addArrays({ parsers, serializers }: Handlers): void {
  for (const [element, array] of Object.values(ARRAYS)) {
    const parse = parsers[element] ?? ((text: string) => text)
    const serialize = serializers[element] ?? String
    parsers[array] = (text) => readArray(text, parse)
    serializers[array] = (values) => (Array.isArray(values) ? writeArray(values, serialize) : values)
  }
}

/** @param text an array as the server writes it: `{a,"b c",NULL}`, `[0:1]={1,2}`, `{{1,2},{3,4}}` */
function readArray(text: string, parse: (element: string) => unknown): unknown[] {
  const opened: unknown[][] = [[]]
  for (let at = text.indexOf('{'); at < text.length; at++) {
    const sign = text[at]
    const inner = opened.at(-1)!
    if (sign === '{') {
      const next: unknown[] = []
      inner.push(next)
      opened.push(next)
    } else if (sign === '}') opened.pop()
    else if (sign === '"') {
      const { value, end } = readQuoted(text, at + 1)
      inner.push(parse(value))
      at = end
    } else if (sign !== ',') {
      let end = at + 1
      while (text[end] !== ',' && text[end] !== '}') end++
      const value = text.slice(at, end)
      inner.push(value === 'NULL' ? null : parse(value))
      at = end - 1
    }
  }
  return opened[0]![0] as unknown[]
}

/** Returns the value of an element in quotes, and the index of the closing quote. */
function readQuoted(text: string, from: number): { value: string; end: number } {
  let value = ''
  let begun = from
  for (let at = from; ; at++) {
    if (text[at] === '"') return { value: value + text.slice(begun, at), end: at }
    if (text[at] !== '\\') continue
    value += text.slice(begun, at)
    begun = ++at
  }
}

function writeArray(values: readonly unknown[], serialize: (value: unknown) => unknown): string {
  const written = values.map((value) => {
    if (value === null) return 'null'
    if (value === undefined) throw new Error('an array that is sent to the database has an undefined element')
    if (Array.isArray(value)) return writeArray(value, serialize)
    return `"${String(serialize(value)).replaceAll(/[\\"]/g, '\\$&')}"`
  })
  return `{${written.join()}}`
}
