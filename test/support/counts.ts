/**
 * Measures the code: its longest functions, the functions with most branches, statements excluded from formatting,
 * names with outdated words, import cycles, the files of its largest folders, and casts in tests. Parses `src` once,
 * without types.
 */
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import {
  isBinaryExpression,
  isCallExpression,
  isExportDeclaration,
  isIdentifier,
  isImportDeclaration,
  isImportTypeNode,
  isLiteralTypeNode,
  isPrivateIdentifier,
  isStringLiteral,
  type Node,
  type SourceFile,
  SyntaxKind,
} from 'typescript/unstable/ast'
import { API } from 'typescript/unstable/sync'
import { checkout } from './world.ts'

/** A function with more lines or branches than this must state the reason in its comment. */
export const LINES_MAX = 60
export const COMPLEXITY_MAX = 20

export interface CodeFunction {
  /** `src/ingest/rebuild.ts:35 rebuild` */
  place: string
  /** Number of lines from the first word of the function to its last brace, including nested functions. */
  lines: number
  /**
   * Cyclomatic complexity: one, plus one for each branch, loop, `catch`, `&&`, `||` and `??`. Nested functions count
   * separately.
   */
  complexity: number
  /** True if the function's comment states why the function is so long, in a sentence that begins with `Long:`. */
  saysWhyLong: boolean
  /**
   * True if the function's comment states why the function has so many branches, in a sentence that begins with
   * `Branches:`.
   */
  saysWhyBranches: boolean
}

const BRANCHES = new Set<SyntaxKind>([
  SyntaxKind.IfStatement,
  SyntaxKind.ConditionalExpression,
  SyntaxKind.ForStatement,
  SyntaxKind.ForInStatement,
  SyntaxKind.ForOfStatement,
  SyntaxKind.WhileStatement,
  SyntaxKind.DoStatement,
  SyntaxKind.CaseClause,
  SyntaxKind.CatchClause,
])
const CHOICES = new Set<SyntaxKind>([
  SyntaxKind.AmpersandAmpersandToken,
  SyntaxKind.BarBarToken,
  SyntaxKind.QuestionQuestionToken,
  SyntaxKind.AmpersandAmpersandEqualsToken,
  SyntaxKind.BarBarEqualsToken,
  SyntaxKind.QuestionQuestionEqualsToken,
])

const FUNCTIONS = new Set<SyntaxKind>([
  SyntaxKind.FunctionDeclaration,
  SyntaxKind.FunctionExpression,
  SyntaxKind.ArrowFunction,
  SyntaxKind.MethodDeclaration,
  SyntaxKind.Constructor,
  SyntaxKind.GetAccessor,
  SyntaxKind.SetAccessor,
])
const isFunction = ({ kind }: Node) => FUNCTIONS.has(kind)

const isBranch = (node: Node) =>
  BRANCHES.has(node.kind) || (isBinaryExpression(node) && CHOICES.has(node.operatorToken.kind))

export interface Code {
  functions: CodeFunction[]
  /** Files that each file imports, including type imports and dynamic imports. */
  imports: Map<string, Set<string>>
  /** Names with an outdated word, listed once per occurrence: `src/ingest/order.ts:8 told`. */
  oldNames: string[]
}

/** Words of docs/glossary.md that must not occur in the name of a variable, a type, a function or a member. */
const OLD_WORD = /^(?:anew|asker|beside|behind|happened|heard|legible|told|unmade)$/i
/** Names of types that do not state what kind of thing was found, read and so on. */
const VAGUE_NAME = /^(?:Asked|Found|Said|Told)$/
const hasOldWord = (name: string) =>
  VAGUE_NAME.test(name) || (name.match(/[A-Z]*[a-z]+|[A-Z]+/g)?.some((word) => OLD_WORD.test(word)) ?? false)

/** Reads every module of `src` except the tests. */
export function readCode(root = checkout): Code {
  const config = path.join(root, 'counts.json')
  const options = { noLib: true, noResolve: true, types: [], noEmit: true, target: 'esnext', module: 'preserve' }
  const text = JSON.stringify({ compilerOptions: options, include: ['src'], exclude: ['src/**/*.test.ts'] })
  const api = new API({ cwd: root, fs: { readFile: (name) => (name === config ? text : undefined) } })
  try {
    const [project] = api.updateSnapshot({ openProjects: [config] }).getProjects()
    const code: Code = { functions: [], imports: new Map(), oldNames: [] }
    for (const name of project!.rootFiles)
      readModule(path.relative(root, name), project!.program.getSourceFile(name)!, code)
    return code
  } finally {
    api.close()
  }
}

function readModule(name: string, file: SourceFile, code: Code): void {
  const imports = new Set<string>()
  code.imports.set(name, imports)
  const lineAt = (position: number) => file.getLineAndCharacterOfPosition(position).line + 1
  const enter = (node: Node, around: CodeFunction | null): void => {
    const target = importedBy(node)
    if (target?.startsWith('.')) imports.add(path.normalize(path.join(path.dirname(name), target)))
    if ((isIdentifier(node) || isPrivateIdentifier(node)) && hasOldWord(node.text))
      code.oldNames.push(`${name}:${lineAt(node.getStart(file))} ${node.text}`)
    if (around && isBranch(node)) around.complexity++
    let inner = around
    if (isFunction(node)) {
      const begin = lineAt(node.getStart(file))
      const comment = commentOf(node, file)
      inner = {
        place: `${name}:${begin} ${nameOf(node, file)}`,
        lines: lineAt(node.end) - begin + 1,
        complexity: 1,
        saysWhyLong: /\bLong: [a-z]/.test(comment),
        saysWhyBranches: /\bBranches: [a-z]/.test(comment),
      }
      code.functions.push(inner)
    }
    node.forEachChild((child) => enter(child, inner))
  }
  enter(file, null)
}

/** The module that a declaration, a type or a call imports; undefined for other nodes. */
function importedBy(node: Node): string | undefined {
  let specifier: Node | undefined
  if (isImportDeclaration(node) || isExportDeclaration(node)) specifier = node.moduleSpecifier
  else if (isImportTypeNode(node) && isLiteralTypeNode(node.argument)) specifier = node.argument.literal
  else if (isCallExpression(node) && node.expression.kind === SyntaxKind.ImportKeyword) specifier = node.arguments[0]
  return specifier && isStringLiteral(specifier) ? specifier.text : undefined
}

/** Returns the comments before the function, or before the statement or member whose value it is. */
function commentOf(node: Node, file: SourceFile): string {
  let holder = node
  while (holder.parent && holder.parent.kind !== SyntaxKind.SourceFile && HOLDERS.has(holder.parent.kind)) {
    holder = holder.parent
  }
  const text = file.text.slice(holder.pos, node.getStart(file))
  // The lines of a comment are joined, because a sentence may begin at the end of a line.
  return text.replaceAll(/\s*\n\s*(?:\*|\/\/)?\s*/g, ' ')
}

const HOLDERS = new Set<SyntaxKind>([
  SyntaxKind.VariableDeclaration,
  SyntaxKind.VariableDeclarationList,
  SyntaxKind.VariableStatement,
  SyntaxKind.PropertyAssignment,
  SyntaxKind.PropertyDeclaration,
  SyntaxKind.ReturnStatement,
  SyntaxKind.CallExpression,
  SyntaxKind.ExpressionStatement,
])

/**
 * The function's name, else the name of the member or variable that has it as its value, else that of the function
 * around it.
 */
function nameOf(node: Node, file: SourceFile): string {
  for (let at: Node | undefined = node; at; at = at.parent) {
    const name = 'name' in at ? (at.name as Node | undefined) : undefined
    if (name) return name.getText(file)
  }
  return SyntaxKind[node.kind]!
}

const isLong = ({ lines }: CodeFunction) => lines > LINES_MAX
const hasManyBranches = ({ complexity }: CodeFunction) => complexity > COMPLEXITY_MAX

/** Functions that are long or have many branches, and give no reason. */
export const functionsWithoutReason = ({ functions }: Code): CodeFunction[] =>
  functions.filter((each) => (isLong(each) && !each.saysWhyLong) || (hasManyBranches(each) && !each.saysWhyBranches))

/** Returns groups of files in which each file imports itself through the others. */
function circlesIn(imports: Code['imports']): string[][] {
  const reachedFrom = (from: string) => {
    const reached = new Set<string>()
    const waiting = [from]
    for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
      for (const next of imports.get(file) ?? []) {
        if (reached.has(next)) continue
        reached.add(next)
        waiting.push(next)
      }
    }
    return reached
  }
  const reached = new Map([...imports.keys()].map((file) => [file, reachedFrom(file)]))
  const circles = [...imports.keys()]
    .filter((file) => reached.get(file)!.has(file))
    .map((file) => [...reached.get(file)!].filter((other) => reached.get(other)?.has(file)).sort())
  return [...new Map(circles.map((circle) => [circle[0]!, circle])).values()]
}

const CAST = /\bas (?:never|unknown as)\b/
const COMMENT = /^\s*(?:\/\/|\/?\*)/

/**
 * Returns the casts that bypass the types without a comment on the same line or on the line before, each by its file
 * and line.
 */
export function castsWithoutReason(name: string, text: string): string[] {
  const lines = text.split('\n')
  return lines.flatMap((line, at) =>
    CAST.test(line) && !/\s\/\/ (?!biome)/.test(line) && !COMMENT.test(line) && !COMMENT.test(lines[at - 1] ?? '')
      ? [`${name}:${at + 1}`]
      : [],
  )
}

/** Folders without code of ours to count; a test installs packages below `test/`. */
const LEFT_OUT = ['**/fixtures', '**/node_modules']

/** Casts without a reason in all tests and their support. */
export const castsOfTests = (root = checkout): string[] =>
  globSync(['test/**/*.ts', 'src/**/*.test.ts'], { cwd: root, exclude: LEFT_OUT })
    .sort()
    .flatMap((name) => castsWithoutReason(name, readFileSync(path.join(root, name), 'utf8')))

/** The counts by their names in the table of test/README.md. */
export function countsOf(code: Code, root = checkout): Record<string, number> {
  const files = globSync('{src,test,bench}/**/*.{ts,mjs}', { cwd: root, exclude: LEFT_OUT })
  const skippedIn = (...folders: string[]) =>
    files
      .filter((file) => folders.some((folder) => file.startsWith(folder)))
      .map((file) => readFileSync(path.join(root, file), 'utf8').match(/biome-ignore format/g)?.length ?? 0)
      .reduce((sum, each) => sum + each, 0)
  const largest = (folder: string) => {
    const folders = files.filter((file) => file.startsWith(`${folder}${path.sep}`)).map((file) => path.dirname(file))
    return Math.max(
      0,
      ...Map.groupBy(folders, (each) => each)
        .values()
        .map(({ length }) => length),
    )
  }
  return {
    [`functions above ${LINES_MAX} lines`]: code.functions.filter(isLong).length,
    [`functions above complexity ${COMPLEXITY_MAX}`]: code.functions.filter(hasManyBranches).length,
    'functions of these two rows without a reason in their comment': functionsWithoutReason(code).length,
    'statements that the formatter skips, in src': skippedIn('src'),
    'statements that the formatter skips, in test and bench': skippedIn('test', 'bench'),
    'casts in tests without a reason in a comment': castsOfTests(root).length,
    'names with a word that the glossary replaces': code.oldNames.length,
    'files in import cycles, including imports of types and dynamic imports': circlesIn(code.imports).flat().length,
    'files in the largest folder of src': largest('src'),
    'files in the largest folder of test': largest('test'),
  }
}
