/** Shapes of answers. */
import { z } from 'zod'
import { countedValues, nextCursorNull } from '../../declare/paging.ts'
import { date, text, usd } from '../../declare/table.ts'
import { evidence, PLACE } from '../../serve/evidence.ts'
import { filingRow } from '../../serve/filings-of.ts'
import { notLoaded } from '../../serve/loaded.ts'
import { launch, step } from './rollups.ts'
import { adviser, block, expense_example, fee, filing, series } from './tables.ts'

const { accession, cik, form, filed_date, trust_name, series_id, series_name } = launch.columns
const { class_count, tickers, bucket, stage, stage_date } = launch.columns

const row = z
  .object({
    ...{
      accession,
      cik,
      form,
      filing_date: filed_date,
      trust_name,
      series_id,
      series_name,
      class_count,
      tickers,
      bucket,
    },
    ...{ stage, stage_date },
  })
  .meta({ id: 'FundLaunch' })

export const page = z
  .object({ rows: z.array(row), ...countedValues, next_cursor: nextCursorNull, ...notLoaded })
  .meta({ id: 'FundLaunchPage' })

export type LaunchPage = z.infer<typeof page>

const own = series.parsed.omit({ filed_date: true }).meta({ id: 'FundSeriesAnnounced' })
const part = (meaning: string) => text(meaning).nullable()

const provider = z
  .object({
    role: text('Role: custodian, transfer_agent, administrator, accountant …'),
    name: part('Name'),
    lei: text('Legal entity identifier (LEI)', { entity: 'lei' }).nullable(),
  })
  .meta({ id: 'FundProvider' })

const person = z
  .object({
    name: part('Name'),
    is_interested: z.boolean().nullable().describe('Whether the director is an interested person of the fund'),
  })
  .meta({ id: 'FundDirector' })

const participant = z
  .object({
    name: part('Name'),
    lei: text('Legal entity identifier (LEI)', { entity: 'lei' }).nullable(),
    purchased: usd('Value of the creation units that the participant purchased in the year').nullable(),
    redeemed: usd('Value of the creation units that the participant redeemed in the year').nullable(),
  })
  .meta({ id: 'FundParticipant' })

const named = z
  .object({
    role: adviser.columns.role,
    name: part('Name'),
    crd: text('CRD number; null if only a prospectus names the adviser', { entity: 'crd' }).nullable(),
    source: z
      .enum(['prospectus', 'ncen'])
      .describe('Source that names the adviser. prospectus: `evidence` quotes its words. ncen: Form N-CEN'),
    evidence: evidence.nullable().describe('The words of the prospectus; null if Form N-CEN is the source'),
  })
  .meta({ id: 'FundAdviser' })

/** The evidence of a tagged value names only the document, without a position and without a sentence. */
const { sequence, offset, length, sentence } = evidence.shape
const rowEvidence = z
  .object({ sequence, offset: offset.nullable(), length: length.nullable(), sentence: sentence.nullable() })
  .meta({ id: 'FundFeeEvidence' })
  .describe('The row of the table and its place; for a tagged value, only the document that has the tag')
const feeLine = fee.parsed.omit(PLACE).extend({ evidence: rowEvidence }).meta({ id: 'FundFee' })
const exampleAmount = expense_example.parsed
  .omit(PLACE)
  .extend({ evidence: rowEvidence })
  .meta({ id: 'FundExpenseExample' })

export const answer = z
  .object({
    filing: z
      .object({
        accession: accession.describe('Accession number of the requested filing'),
        form_type: form.describe('Form code of the filing'),
        filed_date: filed_date.describe('Date the SEC gives as the filing date'),
        ...filing.parsed.omit({ form: true }).shape,
        stage: stage.nullable().describe('Stage of the launch; null if the filing does not announce a fund'),
        stage_date: stage_date.nullable(),
      })
      .meta({ id: 'FundFiling' }),
    series: z.array(own).describe('Series that the header names'),
    focus_series: own
      .nullable()
      .describe(
        'The requested series, else the first series that the filing announces, else the first that it names; null if the filing names no series',
      ),
    stages: z
      .array(step.row.omit({ launch_accession: true, fund: true, n: true }).meta({ id: 'FundStage' }))
      .optional()
      .describe('Stages of the launch, in the order of days'),
    fees: z.array(feeLine).optional().meta({
      description:
        'Lines of the fee tables of the filing. If these tables state no figure, the lines come from another filing about the series: the newest one whose fee tables state figures',
      'x-filing': 'fees_accession',
    }),
    fees_accession: accession.optional().describe('The filing from which the fees come'),
    expense_examples: z.array(exampleAmount).optional().meta({
      description:
        'What an investor pays in expenses over 1, 3, 5 and 10 years, by class. The examples of the filing state it. If these examples state no amount, the amounts come from another filing about the series: the newest one whose examples state amounts',
      'x-filing': 'expense_examples_accession',
    }),
    expense_examples_accession: accession.optional().describe('The filing from which the examples come'),
    narrative: z
      .array(block.parsed.meta({ id: 'FundNarrative' }))
      .optional()
      .describe('Blocks of prose: objective, strategies, risks …'),
    advisers: z.array(named).optional().describe('Advisers of the fund'),
    authorized_participants: z.array(participant).optional().describe('Form N-CEN, Item E.2'),
    directors: z.array(person).optional().describe('Form N-CEN, Item B.8'),
    providers: z.array(provider).optional().describe('Other service providers of the fund, according to Form N-CEN'),
    net_assets: usd('Net assets in the newest Form N-PORT of the series').nullable().optional(),
    net_assets_date: date('Last day of the period of the Form N-PORT that states net_assets').optional(),
    net_assets_accession: accession.optional().describe('The Form N-PORT that states net_assets'),
    other_filings: z.array(filingRow).describe('Up to 200 other filings of the trust, newest first'),
  })
  .meta({ id: 'FundLaunchDetail' })

export type LaunchDetail = z.infer<typeof answer>
