/** Tools about one thing, which is given by an id, a name or a ticker. */
import { z } from 'zod'
import { kindsMeant } from '../../declare/kinds-meant.ts'
import { answered, sizeOf } from '../frame.ts'
import { meant, type OfKind, pageOfThing } from '../resolve.ts'
import { addressFor, parametersOf, pathNames, type Routes } from '../routes.ts'
import { type Args, asValues, include, maxBytes, type Tool } from '../tool.ts'
import { brief } from './lists.ts'

/** The kinds of things that the search knows. */
export function kindsOf(routes: Routes): string[] {
  const { kind } = parametersOf(routes.named('search'))
  return kind!.enum as string[]
}

export function entityTool(routes: Routes): Tool {
  return {
    name: 'get_entity',
    title: 'Show one thing',
    description:
      'The whole record of a company, adviser, fund, security, manager, broker, insider, representative or filing, with links to further data about it. Long tables show 5 rows: name a member in include to see all rows of that member.',
    parameters: {
      kind: { type: 'string', enum: kindsOf(routes) },
      id: { type: 'string', description: 'CIK, CRD, CUSIP, series, accession, ticker or name' },
      include,
      max_bytes: maxBytes,
    },
    required: ['kind', 'id'],
    meanings: { kind: kindsMeant },
    async run(args, call) {
      const { address, note } = await pageOfThing(args.id as string, args.kind as string, routes, call)
      return answered({ address, ...sizeOf(args), notes: [note] }, routes, call)
    },
  }
}

/** Routes whose path ends with one of the words after a parameter: `/funds/{series}/holdings`. */
function routesAfterThing(routes: Routes, last: RegExp): OfKind[] {
  const kinds = kindsOf(routes)
  return routes.all.flatMap((route): OfKind[] => {
    const parts = route.path.split('/')
    const [parameter, ...others] = pathNames(route)
    if (!last.test(parts.at(-1)!) || parameter === undefined || others.length > 0) return []
    const collection = parts.slice(0, -2).findLast((part) => part !== '' && !part.startsWith('by-'))
    const kind = kinds.find((each) => collection === pluralOf(each))
    return kind === undefined ? [] : [{ kind, route, parameter }]
  })
}

const pluralOf = (kind: string) => kind.replace(/y$/, 'ie').concat('s')

export const holdingsTool = (routes: Routes): Tool =>
  ofKindTool(
    {
      name: 'holdings',
      title: 'What somebody holds',
      description: 'Positions of a 13F manager, an adviser or a fund at the end of a period, the largest first.',
      of: routesAfterThing(routes, /^holdings/),
      remarks: aboutHoldings,
    },
    routes,
  )

const quarterOf13f = z.object({ quarter: z.object({ period_of_report: z.string(), accessions: z.array(z.string()) }) })

/** Returns remarks: which filings state the positions of a manager, and that an unknown manager proves nothing. */
function aboutHoldings(answer: Readonly<Record<string, unknown>>): string[] {
  if (answer.match === false) {
    return [
      'No 13F manager that is loaded belongs to this adviser. This does not prove that the adviser holds nothing: search_entities(q=…, kind="manager") finds managers by name.',
    ]
  }
  const { data } = quarterOf13f.safeParse(answer)
  if (!data) return []
  const { period_of_report: period, accessions } = data.quarter
  return accessions.length > 0 ? [`Positions of ${period} are stated by ${accessions.join(', ')}.`] : []
}

export const holdersTool = (routes: Routes): Tool =>
  ofKindTool(
    {
      name: 'holders',
      title: 'Who holds, buys or sells a security',
      description:
        'Managers (13F) or funds that held a security at the end of a quarter, with what each bought or sold since the quarter before. sort=bought lists the largest buyers first. Answers “who bought most Apple shares last quarter”. For trades of insiders, use events(kind=insider_transactions).',
      of: routesAfterThing(routes, /^holders$/),
      // A security whose id begins with `company~` or `name~` has no CUSIP. Managers report holdings by CUSIP, so only
      // funds can report such a security.
      defaults: (id) => (/^(company|name)~/.test(id) ? { source: 'nport' } : {}),
      remarks: aboutHolders,
    },
    routes,
  )

export const financialsTool = (routes: Routes): Tool =>
  ofKindTool(
    {
      name: 'financials',
      title: 'Figures of a company',
      description:
        'Revenue, net income, cash flow and balance sheet of a company by year or quarter, from XBRL, with the filing that states each figure.',
      of: routesAfterThing(routes, /^financials$/),
    },
    routes,
  )

/**
 * Returns remarks that prevent misunderstandings of a list of holders. They say whether the list is about only one
 * security of a company, whether later quarters may be missing, whether nobody bought or sold, and which other source
 * may have holders.
 */
function aboutHolders(answer: Readonly<Record<string, unknown>>, query: Args, id: string): string[] {
  const { rows, period, source, sec_id } = answer
  if (!Array.isArray(rows)) return []
  const changes = rows.map((row) => Number((row as Record<string, unknown>).amount_change))
  const { sort } = query
  const isNone =
    rows.length > 0 && (sort === 'bought' ? changes.every((n) => !(n > 0)) : changes.every((n) => !(n < 0)))
  return [
    ...(id.startsWith('company~') && sec_id !== id
      ? [
          'These are holders of one security of the company; get_entity(kind="private_company", id=…) lists its other securities.',
        ]
      : []),
    ...(query.period === undefined && typeof period === 'string'
      ? [`${period} is the newest period that is loaded here; later ones may be missing.`]
      : []),
    ...((sort === 'bought' || sort === 'sold') && isNone
      ? [`No loaded holder ${sort} any of it in this quarter.`]
      : []),
    ...(rows.length === 0 && source === 'f13' ? ['source="nport" lists funds that hold it.'] : []),
  ]
}

interface ToolOfKinds {
  name: string
  title: string
  description: string
  of: readonly OfKind[]
  /** Parameters that a request about the thing with this id needs. The arguments of the call replace them. */
  defaults?: (id: string) => Args
  remarks?: (answer: Readonly<Record<string, unknown>>, query: Args, id: string) => readonly string[]
}

/**
 * A tool that requests the route for the thing's kind. If the call names no kind, the tool uses the first kind for
 * which something is found.
 */
function ofKindTool(
  { name, title, description, of, defaults = () => ({}), remarks = () => [] }: ToolOfKinds,
  routes: Routes,
): Tool {
  const kinds = of.map(({ kind }) => kind)
  if (kinds.length === 0) throw new Error(`the tool ${name} has no route`)
  const own = Object.assign({}, ...of.map(({ route }) => brief(parametersOf(route, ['fields', 'omit', 'count']))))
  return {
    ...{ name, title, description },
    parameters: {
      id: { type: 'string', description: `Id, ticker or name of the ${kinds.join(' or ')}` },
      ...(kinds.length > 1
        ? {
            kind: {
              type: 'string',
              enum: kinds,
              description: 'Needed only if things of several kinds may have the id',
            },
          }
        : {}),
      ...own,
      include,
      max_bytes: maxBytes,
    },
    required: ['id'],
    async run(args, call) {
      const { id, kind, include: _, max_bytes: __, ...query } = args
      const among = of.filter((each) => kind === undefined || each.kind === kind)
      const found = await meant(id as string, among, routes, call)
      const { route, parameter } = found.of
      const shape = route.input.shape as Record<string, z.ZodType>
      const wanted = { ...defaults(found.id), ...query }
      const taken = Object.entries(wanted).filter(([each]) => each in shape)
      const values = { ...asValues(Object.fromEntries(taken)), [parameter]: found.id }
      const notes = found.note === null ? [] : [found.note]
      const address = addressFor(route, values)
      const own = {
        of: (answer: Readonly<Record<string, unknown>>) => remarks(answer, query, found.id),
        by: JSON.stringify([name, query, found.id]),
      }
      return answered({ address, ...sizeOf(args), notes, remarks: own }, routes, call)
    },
  }
}
