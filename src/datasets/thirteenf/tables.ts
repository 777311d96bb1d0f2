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
  'One row per filing: who reports, for which quarter, and whether it amends',
  [],
  {
    submission_type: text('13F-HR, 13F-NT or 13F-CTR, with /A for an amendment'),
    cik: cik('CIK of the manager that files', { named: 'manager_name' }).nullable(),
    period: date('Last day of the quarter that is reported').nullable(),
    report_type: text('holdings, notice (others report everything) or combination (others report a part)', {
      values: ['holdings', 'notice', 'combination'],
    }).nullable(),
    is_amendment: boolean('The filing amends an earlier one, by its form type'),
    amendment_number: integer('Number of the amendment').nullable(),
    amendment_type: text(
      'restatement: replaces the report; new_holdings: adds to it; null where an amendment does not say',
      { values: ['restatement', 'new_holdings'] },
    ).nullable(),
    confidential_ended: boolean(
      'The amendment shows holdings whose confidential treatment was denied or ended',
    ).nullable(),
    confidential_ended_on: date('Day on which confidential treatment was denied or ended').nullable(),
    confidential_reported_on: date('Day on which those holdings were first filed, in confidence').nullable(),
    confidential_reason: text('Why they are shown now').nullable(),
    confidential_omitted: boolean('Holdings are left out that were filed in confidence').nullable(),
    manager_name: text('Name of the manager').nullable(),
    name_key: text('Name of the manager as it is compared: accents stripped, lower case').nullable(),
    name_words: nameWords('The words by which that name is found: names.ts').nullable(),
    ...address({ of: 'the manager' }),
    file_number: fileNumber('Form 13F file number, 028- and five digits').nullable(),
    crd: crd('CRD number of the manager, without leading zeros').nullable(),
    sec_file_number: fileNumber('SEC file number of the manager, 801- for an adviser').nullable(),
    number_key: text('That number as numbers are compared: 801-16048 for 801-016048').nullable(),
    instruction5: boolean('Information is given under Special Instruction 5').nullable(),
    additional_information: text('Additional information, in the words of the manager').nullable(),
    signer: text('Name of the person who signs').nullable(),
    signer_title: text('Title of that person').nullable(),
    signer_phone: text('Telephone of that person, as filed').nullable(),
    signature: text('Signature, as signed').nullable(),
    signed_city: text('City of signing').nullable(),
    signed_state: text('State or country of signing as an EDGAR code').nullable(),
    signed: date('Day of signing').nullable(),
    managers_count: count('Number of other managers for which this one reports, as declared').nullable(),
    value: usd(
      'Value of all positions, options included, in US dollars by the scale of this row, which rescaled may correct; null without a table',
    ).nullable(),
    position_count: count('Lines of the information table that were read').nullable(),
    scale: integer(
      'US dollars for a filed value of 1: 1, or 1000 if values are filed in thousands. Values of this row and its positions are stored in this scale',
    ).nullable(),
    scale_reason: text('Reason for that scale: implied prices, or the filing date; rescaled may correct it').nullable(),
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
  'One row another manager of a cover or a summary, which have opposite meanings',
  ['position'],
  {
    position: integer('Order in the filing, from 0; first those of the cover'),
    list: text(
      'reports_for_this: a manager that reports holdings of this one; included_here: one whose holdings this report has',
      { values: ['reports_for_this', 'included_here'] },
    ),
    sequence: integer('Number by which lines of the table name a manager that is included here').nullable(),
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
    n: integer('Number of the line in the table, from 1'),
    quarter: date(
      'Last day of the quarter that is reported; 0001-01-01 if the report states none, or an impossible one',
    ),
    cik: cik('CIK of the manager that files').nullable(),
    cusip: cusip('CUSIP as filed').nullable(),
    cusip_flag: text('Why it may not be a CUSIP: missing, length, placeholder, check_digit, case', {
      values: ['missing', 'length', 'placeholder', 'check_digit', 'case'],
    }).nullable(),
    security: bigint('Key of its name, title and FIGI in security'),
    value: bigint('Value, US dollars: as filed, times the scale of the report, which rescaled may correct', {
      unit: 'USD',
    }).nullable(),
    amount: bigint('Shares, or principal where kind is PRN', { unit: 'shares_or_principal' }).nullable(),
    kind: text('SH or PRN; null in text tables that do not say', { values: ['SH', 'PRN'] }).nullable(),
    put_call: text('Put or Call: an option on the security, not a holding of it').nullable(),
    discretion: text('Investment discretion: SOLE, DFND or OTR', { values: ['SOLE', 'DFND', 'OTR'] }).nullable(),
    manager_numbers: text('Other managers that share discretion, by their numbers in the list').nullable(),
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
  'One row per security as lines name it, once for all filings',
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
  'One row per filing: how much of it was understood, and whether it agrees with what it declares',
  [],
  {
    source: text('Source of the table: xml, text, set; none if there is no table', {
      values: ['xml', 'text', 'set', 'none'],
    }),
    line_count: count('Lines that look like holdings'),
    lines_read: count('Lines among those that were read'),
    cut_off: text('Why the table ends before its end').nullable(),
    declared_entries: count('Number of lines that the summary declares').nullable(),
    declared_value: decimal('Sum of the values that the summary declares, in the unit of the filing', {
      unit: 'USD_or_thousands',
    }).nullable(),
    parsed_value: decimal('Sum of the values that were read, in the unit of the filing', {
      unit: 'USD_or_thousands',
    }).nullable(),
    entries_differ: count('Lines read less lines declared').nullable(),
    value_differs: decimal('Value read less value declared, in the unit of the filing', {
      unit: 'USD_or_thousands',
    }).nullable(),
    scale_compared: count('Number of securities whose implied price was compared to decide the scale'),
    scale_agreed: count('Securities among those that support the scale'),
    cusips_flagged: count('Lines whose CUSIP is flagged'),
    options: count('Lines that are puts or calls'),
    principal_count: count('Lines that are principal and not shares'),
    kind_unknown: count('Lines that say neither shares nor principal'),
    notes: texts(
      'table_missing, table_unexpected, table_cut_off, lines_unread, votes_unread, entries_differ, value_differs, amounts_are_values, amounts_implausible, scale_unusual, scale_unsure',
    ),
  },
)
