/**
 * Statements of `src` that name the type of their rows, as in `` sql<Row[]>`select …` ``, with the columns of that
 * type. The TypeScript compiler resolves the types, so they may be imported, mapped or composed.
 */
import path from 'node:path'
import {
  isTaggedTemplateExpression,
  isTemplateExpression,
  type Node,
  type TaggedTemplateExpression,
} from 'typescript/unstable/ast'
import { API, type Checker, type Type, TypeFlags, type TypeReference } from 'typescript/unstable/sync'
import { checkout } from './world.ts'

/**
 * The kinds of values that a column may have: `string`, `number`, `boolean`, `Buffer`, `Date`, `object`, `unknown`, or
 * an array, `[string]`.
 */
export type Kinds = readonly string[]

export interface TypedStatement {
  /** `src/store/db.ts:118` */
  place: string
  /** SQL text of the statement, with `$1` for its first value. */
  text: string
  columns: readonly { name: string; kinds: Kinds; isOptional: boolean }[]
}

/** A statement that can be checked only by sending it, with the reason. */
export interface OpenStatement {
  place: string
  reason: 'it is made of fragments' | 'the type of its rows depends on the caller' | 'its rows have no named columns'
}

export function statementsWithTypes(): { typed: TypedStatement[]; open: OpenStatement[] } {
  const api = new API({ cwd: checkout })
  try {
    const [project] = api.updateSnapshot({ openProject: path.join(checkout, 'tsconfig.json') }).getProjects()
    const { program, checker } = project!
    const found: { typed: TypedStatement[]; open: OpenStatement[] } = { typed: [], open: [] }
    const own = path.join(checkout, 'src') + path.sep
    const files = program.getSourceFileNames().filter((file) => file.startsWith(own) && !file.endsWith('.test.ts'))
    for (const file of files) {
      const source = program.getSourceFile(file)!
      const visit = (node: Node): void => {
        if (isTaggedTemplateExpression(node) && node.typeArguments?.length) {
          const line = source.text.slice(0, node.getStart()).split('\n').length
          const read = readStatement(checker, node, `${path.relative(checkout, file)}:${line}`)
          if ('reason' in read) found.open.push(read)
          else found.typed.push(read)
        }
        node.forEachChild(visit)
      }
      if (/<[^`]*>\s*`/.test(source.text)) visit(source)
    }
    return found
  } finally {
    api.close()
  }
}

const FRAGMENT = /\b(?:Fragment|PendingQuery|Helper|Row|any)\b/

function readStatement(
  checker: Checker,
  node: TaggedTemplateExpression,
  place: string,
): TypedStatement | OpenStatement {
  const { template } = node
  let text = 'text' in template ? String(template.text) : ''
  if (isTemplateExpression(template)) {
    text = template.head.text
    for (const [at, { expression, literal }] of template.templateSpans.entries()) {
      const type = checker.getTypeAtLocation(expression)
      if (!type || FRAGMENT.test(checker.typeToString(type))) return { place, reason: 'it is made of fragments' }
      text += `$${at + 1}${literal.text}`
    }
  }
  const rows = checker.getTypeFromTypeNode(node.typeArguments![0]!)
  // A list of one row or none, `[Row?]`, has a row type too.
  const row = rows && checker.getTypeArguments(rows as TypeReference)[0]
  const bare = row && checker.getNonNullableType(row)
  if (!bare || bare.flags & (TypeFlags.TypeParameter | TypeFlags.IndexedAccess | TypeFlags.Conditional))
    return { place, reason: 'the type of its rows depends on the caller' }
  const columns = checker.getPropertiesOfType(bare).map((property) => {
    const type = checker.getTypeOfSymbol(property)!
    const kinds = [...new Set(kindsOf(checker, type))].sort()
    return { name: property.name, kinds, isOptional: kinds.includes('undefined') }
  })
  if (columns.length === 0 || checker.getIndexInfosOfType(bare).length > 0)
    return { place, reason: 'its rows have no named columns' }
  return { place, text, columns }
}

function kindsOf(checker: Checker, type: Type): string[] {
  if (type.isUnionType()) return type.getTypes().flatMap((each) => kindsOf(checker, each))
  if (type.flags & TypeFlags.Null) return []
  if (type.flags & TypeFlags.Undefined) return ['undefined']
  if (type.flags & TypeFlags.StringLike) return ['string']
  if (type.flags & TypeFlags.NumberLike) return ['number']
  if (type.flags & TypeFlags.BooleanLike) return ['boolean']
  if (!(type.flags & TypeFlags.Object)) return ['unknown']
  if (checker.isArrayLikeType(type)) {
    const [element] = checker.getTypeArguments(type as TypeReference)
    return [`[${element ? [...new Set(kindsOf(checker, element))].sort().join('|') : 'unknown'}]`]
  }
  const name = type.getSymbol()?.name
  return [name === 'Buffer' || name === 'Date' ? name : 'object']
}
