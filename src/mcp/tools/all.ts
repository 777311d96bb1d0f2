/** All tools, in the order in which clients list them. */
import { corpusOf } from '../../declare/corpora.ts'
import { kindsMeant } from '../../declare/kinds-meant.ts'
import type { Routes } from '../routes.ts'
import type { Tool } from '../tool.ts'
import { describeTool } from './describing.ts'
import { eventsTool } from './events.ts'
import { listTool } from './lists.ts'
import { callTool, nextPageTool } from './open.ts'
import { readFilingTool } from './reading.ts'
import { entityTool, financialsTool, holdersTool, holdingsTool } from './things.ts'

export const toolsOf = (routes: Routes): readonly Tool[] => [
  listTool(
    {
      name: 'search_entities',
      title: 'Find a thing by name, ticker or id',
      description:
        'Finds companies, advisers, funds, securities, managers, brokers, people and filings. Begin here: rows have the id that other tools take.',
      route: 'search',
      without: ['fields', 'omit', 'count'],
      meanings: { kind: kindsMeant },
      remarks: ({ rows }, { kind }) =>
        kind !== undefined && Array.isArray(rows) && rows.length === 0
          ? [`Only things of the kind ${kind} were searched; without kind, all kinds are.`]
          : [],
    },
    routes,
  ),
  entityTool(routes),
  listTool(
    {
      name: 'list_filings',
      title: 'List filings',
      description:
        'Filings of any form by filer, form, family, item and day, newest first. describe(target=family) lists the further parameters of a family.',
      route: 'filings',
      without: ['fields', 'omit', 'filters'],
    },
    routes,
  ),
  readFilingTool(routes),
  listTool(
    {
      name: 'search_text',
      title: 'Search words in the text of filings',
      description:
        'Finds words and phrases in the text of filings and brochures, with excerpts and their offsets. Quotes make a phrase; AND, OR, NOT and NEAR/n join words.',
      route: 'text_search',
      without: ['fields', 'omit'],
      meanings: { corpora: (word) => [corpusOf(routes.family(word)?.slug ?? null) ?? ''] },
    },
    routes,
  ),
  holdersTool(routes),
  holdingsTool(routes),
  eventsTool(routes, ['filings', 'text_search', 'brochure_search']),
  financialsTool(routes),
  describeTool(routes),
  callTool(routes),
  nextPageTool(routes),
]
