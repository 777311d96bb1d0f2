/**
 * Tables of Form 13F, quarterly holdings of institutional managers. A filing has one report and one record of its
 * quality. Its positions are narrow, since there are a hundred million of them: names and titles are stored only once,
 * in `security`.
 */
import {
  address,
  bigint,
  boolean,
  cik,
  count,
  crd,
  cusip,
  date,
  decimal,
  fileNumber,
  integer,
  nameWords,
  shares,
  table,
  text,
  texts,
  usd,
} from '../../declare/table.ts'

export const report = table(
  'thirteenf.report',
  'One row per filing: the manager, the quarter, the kind of report, and whether it is an amendment',
  [],
  {
    submission_type: text('Form type: 13F-HR, 13F-NT or 13F-CTR, with /A for an amendment'),
    cik: cik('CIK of the manager that files', { named: 'manager_name' }).nullable(),
    period: date('Last day of the reported quarter').nullable(),
    report_type: text(
      'Kind of report. holdings: the manager reports all its holdings. notice: other managers report all of them. combination: other managers report a part of them',
      {
        values: ['holdings', 'notice', 'combination'],
      },
    ).nullable(),
    is_amendment: boolean('True if the form type is that of an amendment'),
    amendment_number: integer('Number of the amendment').nullable(),
    amendment_type: text(
      'Kind of amendment. restatement: it replaces the report. new_holdings: it adds to the report. Null if the amendment does not state its kind, or the filing is not an amendment',
      { values: ['restatement', 'new_holdings'] },
    ).nullable(),
    confidential_ended: boolean(
      'True if the amendment publishes holdings whose confidential treatment was denied or ended',
    ).nullable(),
    confidential_ended_on: date('Day on which confidential treatment was denied or ended').nullable(),
    confidential_reported_on: date(
      'Day of the confidential filing that first reported the holdings that the amendment publishes',
    ).nullable(),
    confidential_reason: text('Reason why the confidential holdings are published now, as filed').nullable(),
    confidential_omitted: boolean('True if the report omits holdings that were filed in confidence').nullable(),
    manager_name: text('Name of the manager').nullable(),
    name_key: text('Name of the manager for comparisons: lower case, without accents').nullable(),
    name_words: nameWords('Search words of the name of the manager (names.ts)').nullable(),
    ...address({ of: 'the manager' }),
    file_number: fileNumber('Form 13F file number, 028- and five digits').nullable(),
    crd: crd('CRD number of the manager, without leading zeros').nullable(),
    sec_file_number: fileNumber('SEC file number of the manager, 801- for an adviser').nullable(),
    number_key: text('SEC file number in the form used for comparisons: 801-16048 for 801-016048').nullable(),
    instruction5: boolean('True if the manager provides information under Special Instruction 5').nullable(),
    additional_information: text('Additional information of the cover page, as filed').nullable(),
    signer: text('Name of the person who signed').nullable(),
    signer_title: text('Title of the person who signed').nullable(),
    signer_phone: text('Telephone of the person who signed, as filed').nullable(),
    signature: text('Signature, as signed').nullable(),
    signed_city: text('City of signing').nullable(),
    signed_state: text('State or country of signing as an EDGAR code').nullable(),
    signed: date('Day of signing').nullable(),
    managers_count: count(
      'Number of other managers whose holdings are included, as the summary page declares',
    ).nullable(),
    value: usd(
      'Value of all positions including options, US dollars: the sum of the filed values times `scale`; null without an information table. For a filing in thirteenf.rescaled, the corrected value is value / stored * scale, with the columns of that table',
    ).nullable(),
    position_count: count('Number of lines that were read from the information table').nullable(),
    scale: integer(
      'Factor from filed values to US dollars: 1, or 1000 if values are filed in thousands. Values of this report and of its positions are the filed values times this factor',
    ).nullable(),
    scale_reason: text(
      'Reason for the scale: implied prices, or the filing date. The table thirteenf.rescaled lists the filings whose scale was corrected',
    ).nullable(),
  },
  {
    indexes: [
      // The reports of a manager, from which its holdings of a period are composed.
      '(cik, period desc, filed_date, accession)',
      '(crd) where crd is not null',
      '(number_key) where number_key is not null',
      'using gin (name_words)',
      'using gin (name_key public.gin_trgm_ops)',
      // The few filings that queries/scale.ts compares with other managers.
      "(period, cik) where position_count > 0 and (scale_reason <> 'implied prices' or (scale = 1) = (filed_date < '2023-01-03'))",
    ],
  },
)

/**
 * One row for each other manager of a cover or a summary. The two lists have opposite meanings; `list` distinguishes
 * them.
 */
export const manager = table(
  'thirteenf.manager',
  'One row per other manager listed on the cover or summary page; the two lists have opposite meanings, see list',
  ['position'],
  {
    position: integer('Order in the filing, from 0; managers of the cover page come first'),
    list: text(
      'List of the form. reports_for_this (cover page): the other manager reports holdings of the filing manager. included_here (summary page): this report includes holdings of the other manager',
      { values: ['reports_for_this', 'included_here'] },
    ),
    sequence: integer(
      'Number by which lines of the information table refer to the other manager; only in the list included_here',
    ).nullable(),
    cik: cik('CIK of the other manager', { named: 'name' }).nullable(),
    file_number: fileNumber('Form 13F file number of the other manager').nullable(),
    crd: crd('CRD number of the other manager').nullable(),
    sec_file_number: fileNumber('SEC file number of the other manager').nullable(),
    name: text('Name of the other manager').nullable(),
  },
  { indexes: ['(cik) where cik is not null', '(file_number) where file_number is not null'] },
)

export const position = table(
  'thirteenf.position',
  'One row per line of the information table',
  ['n'],
  {
    n: integer('Number of the line in the information table, from 1'),
    quarter: date('Last day of the reported quarter; 0001-01-01 if the report states none or an impossible one'),
    cik: cik('CIK of the manager that files').nullable(),
    cusip: cusip('CUSIP as filed').nullable(),
    cusip_flag: text(
      'Why the text may not be a CUSIP: missing, wrong length, placeholder, wrong check digit, lower case; null if it is valid',
      {
        values: ['missing', 'length', 'placeholder', 'check_digit', 'case'],
      },
    ).nullable(),
    security: bigint('Key of the row in the table `security` with the issuer name, title and FIGI of the line'),
    value: bigint(
      'Value: the filed value times the scale of the report. For a filing in thirteenf.rescaled, the corrected value is value / stored * scale, with the columns of that table',
      {
        unit: 'USD',
      },
    ).nullable(),
    amount: bigint('Number of shares, or principal if kind is PRN', { unit: 'shares_or_principal' }).nullable(),
    kind: text('Kind of the amount: SH shares, PRN principal; null in tables of text that do not state it', {
      values: ['SH', 'PRN'],
    }).nullable(),
    put_call: text(
      'Put or Call if the line is an option on the security; null if it is the security itself',
    ).nullable(),
    discretion: text('Investment discretion: SOLE, DFND or OTR', { values: ['SOLE', 'DFND', 'OTR'] }).nullable(),
    manager_numbers: text(
      'Numbers (`sequence`) of the other managers that share investment discretion, as filed',
    ).nullable(),
    votes_sole: shares('Shares with sole voting authority').nullable(),
    votes_shared: shares('Shares with shared voting authority').nullable(),
    votes_none: shares('Shares without voting authority').nullable(),
  },
  {
    // Includes the quarter, by which a query finds the partition, so that holders are read from the index alone. The
    // quarter is before the amount, where it takes no extra space: it fills a gap of four bytes.
    indexes: ['(cusip, value desc, cik) include (quarter, amount)'],
    partition: 'quarter',
    distributed: true,
  },
)

/**
 * The texts by which lines name a security, stored once for all filings. A row is inserted if it does not exist yet.
 */
export const security = table(
  'thirteenf.security',
  'One row per different combination of CUSIP, issuer name, title and FIGI in lines, shared by all filings',
  [],
  {
    security: bigint('Key: a digest of CUSIP, name, title and FIGI as filed'),
    cusip: cusip('CUSIP as filed', { named: 'issuer_name' }).nullable(),
    issuer_name: text('Name of the issuer as filed').nullable(),
    title_of_class: text('Title of the class as filed').nullable(),
    figi: text('FIGI as filed', { entity: 'figi' }).nullable(),
  },
  // The second index has CUSIPs in capitals, since requests may write a CUSIP in small letters.
  { record: 'security', indexes: ['(cusip)', '(upper(cusip))'] },
)

export const quality = table(
  'thirteenf.quality',
  'One row per filing: how much of it was read, and whether the lines agree with the totals of the summary page',
  [],
  {
    source: text(
      'Source of the information table. xml: an XML document. text: a table in the filing’s text. set: a quarterly data set. none: there is no table',
      {
        values: ['xml', 'text', 'set', 'none'],
      },
    ),
    line_count: count('Number of lines that look like holdings'),
    lines_read: count('Number of lines that look like holdings and were read'),
    cut_off: text('Reason why reading stopped before the end of the table; null if it did not').nullable(),
    declared_entries: count('Number of lines that the summary page declares').nullable(),
    declared_value: decimal('Sum of the values that the summary page declares, in the unit of the filing', {
      unit: 'USD_or_thousands',
    }).nullable(),
    parsed_value: decimal('Sum of the values that were read, in the unit of the filing', {
      unit: 'USD_or_thousands',
    }).nullable(),
    entries_differ: count('Number of lines read minus number of lines declared').nullable(),
    value_differs: decimal('Sum of values read minus sum declared, in the unit of the filing', {
      unit: 'USD_or_thousands',
    }).nullable(),
    scale_compared: count('Number of securities whose implied price was compared to decide the scale'),
    scale_agreed: count('Number of the compared securities (scale_compared) whose price supports the scale'),
    cusips_flagged: count('Number of lines with a cusip_flag, whose text in the column cusip may not be a CUSIP'),
    options: count('Number of lines that are puts or calls'),
    principal_count: count('Number of lines that state principal (PRN) and not shares'),
    kind_unknown: count('Number of lines that state neither shares nor principal'),
    notes: texts(
      'Faults: table_missing, table_unexpected (a notice with lines), table_cut_off, lines_unread, votes_unread, entries_differ, value_differs, amounts_are_values (all amounts equal the values), amounts_implausible (implied prices are too high or too low), scale_unusual (not the unit required on the filing date), scale_unsure (decided by the filing date alone)',
    ),
  },
)
