/** Lists the headings of proxy statements, and of the documents of mergers. */
import { PROSPECTUS, type Titled, titled } from './titles.ts'

const NUMBER = String.raw`(?<number>\d{1,2}|[a-z]|[ivx]{1,4}|one|two|three|four|five|six|seven|eight|nine|ten)`

/** Headings of mergers, in proxy statements as well as in registration statements. */
const COMBINATION: readonly Titled[] = [
  titled('the-merger', /^the (?:mergers?|transactions?|business combination)$/i, {
    within: ['background', 'reasons', 'fairness-opinion', 'interests', 'appraisal-rights'],
  }),
  titled(
    'background',
    /^background (?:of|to) the (?:proposed )?(?:mergers?|transactions?|business combination|offer)$/i,
    {
      least: 2_000,
    },
  ),
  titled('reasons', /^.{0,60}\breasons for the (?:mergers?|transactions?|business combination).*$/i),
  titled('fairness-opinion', /^opinions? of .{2,80}$/i),
  titled('interests', /^interests of .{0,80}\bin the (?:mergers?|transactions?|business combination)$/i),
  titled('merger-agreement', /^the (?:merger|transaction|business combination) agreement$/i),
  titled('appraisal-rights', /^(?:appraisal|dissenters.) rights(?: of .{0,40})?$/i),
  titled('pro-forma', /^unaudited pro forma .{0,40}financial (?:statements|information)$/i),
  titled('comparison-of-rights', /^comparison of .{0,60}(?:rights|(?:share|stock)holders).{0,20}$/i),
  titled('meeting', /^the .{0,30}\b(?:special|general) meeting$/i),
]

const OWNERSHIP =
  /^(?:information (?:regarding|concerning) )?(?:security|beneficial|stock|share) ownership(?: (?:of|by|information)\b.*)?$|^ownership of (?:.{0,40} )?(?:stock|shares|securities|common stock)(?: by .*)?$|^principal (?:share|stock)holders$/i

const FEES = /^(?:audit|auditors?.?) (?:and non-?audit )?fees$|^fees (?:paid|billed) .{0,80}$/i
const OTHER_FEES = /^(?:audit[- ]related|tax|(?:all )?other) fees$/i
/** Excludes lines of a proxy card, which are not headings. */
const CARD = String.raw`(?!.*\b(?:in their discretion|in its discretion|against|abstain)\b)`
const TABLES = ['summary-compensation', 'grants', 'outstanding-awards', 'exercises', 'pension', 'deferred-compensation']
const PAY = [...TABLES, 'compensation-tables', 'cda', 'compensation-report', 'termination', 'pay-ratio']

/** Headings of proxy and information statements. */
export const PROXY: readonly Titled[] = [
  titled(
    'proposal',
    new RegExp(String.raw`^${CARD}(?:proposal|item)\s(?:(?:no\.?|number|#)\s?)?${NUMBER}(?=$|[\s.:–—-])`, 'i'),
    {
      within: ['election', 'nominees', 'auditor', 'audit-fees', 'say-on-pay', 'independence', 'holder-proposals'],
      usual: 30_000,
      below: new RegExp(
        String.raw`^\(proposal\s(?:(?:no\.?|number|#)\s?)?(?:${NUMBER.replace('?<number>', '?:')})\)$`,
        'i',
      ),
    },
  ),
  titled('summary', /^proxy (?:statement )?summary$/i),
  titled('notice', /^notice of .{0,60}meeting(?: of .*)?$/i),
  titled(
    'voting',
    /^(?:general|voting) information$|^information (?:about|concerning) .{0,40}\b(?:meeting|voting).*$|^about the (?:annual |special )?meeting$|^questions and answers .*$|^voting (?:securities|procedures|and solicitation).*$/i,
  ),
  titled('election', /^election of directors(?: and .*)?$/i, { within: ['nominees'] }),
  titled('nominees', /^(?:director )?nominees(?: (?:for|to) .{0,80})?$/i),
  titled(
    'governance',
    /^corporate governance(?: (?:matters|information|principles|and (?:board|related|other) .*))?$/i,
    {
      within: ['independence', 'committees', 'nominees', 'related-parties', 'director-compensation'],
      least: 2_000,
    },
  ),
  titled(
    'committees',
    /^(?:board )?committees(?: of (?:the|our) board(?: of directors)?)?$|^(?:information (?:regarding|concerning) )?(?:the )?board(?: of directors)? (?:structure )?(?:and )?(?:its )?committees$/i,
  ),
  titled('independence', /^(?:director|board) independence$|^independence of (?:the |our )?(?:board|directors).*$/i),
  titled(
    'director-compensation',
    /^(?:non-?employee )?directors?.? compensation.*$|^compensation of (?:the |our |non-?employee |outside )*directors$/i,
  ),
  titled('executive-officers', /^executive officers(?: of .{2,60})?$/i),
  titled(
    'compensation',
    /^(?:information (?:regarding|concerning) )?executive (?:officer )?compensation(?: and .*)?$|^compensation of executive officers$/i,
    {
      within: [...PAY, 'pay-versus-performance', 'director-compensation'],
      least: 1_000,
    },
  ),
  titled('cda', /^compensation discussion (?:and|&) analysis(?: .{0,20})?$/i, { least: 5_000 }),
  titled(
    'compensation-report',
    /^.{0,40}\bcompensation committee report(?: on .{0,40})?$|^report of the .{0,60}compensation committee.*$/i,
    { usual: 13_000 },
  ),
  titled('compensation-tables', /^executive compensation tables$|^compensation tables$/i, { within: TABLES }),
  titled('summary-compensation', /^summary compensation table.*$/i, { usual: 25_000, least: 600 }),
  titled('grants', /^grants of plan-?\s?based awards.*$/i, { usual: 10_000 }),
  titled('outstanding-awards', /^outstanding (?:equity awards|options).*$/i, { usual: 12_000 }),
  titled('exercises', /^(?:aggregated )?(?:stock )?option exercises.*$|^stock vested.*$/i, { usual: 5_000 }),
  titled('pension', /^pension benefits.*$/i),
  titled('deferred-compensation', /^non-?qualified deferred compensation.*$/i, { usual: 12_000 }),
  titled('termination', /^potential payments (?:up)?on termination.*$/i),
  titled('pay-ratio', /^(?:ceo )?pay ratio.*$/i, { usual: 5_000 }),
  titled('pay-versus-performance', /^pay[- ]versus[- ]performance.*$/i),
  titled(
    'equity-plans',
    /^(?:securities authorized for issuance under )?equity compensation plans?(?: information)?$/i,
    {
      usual: 6_000,
    },
  ),
  titled('ownership', OWNERSHIP, { least: 600, usual: 20_000 }),
  titled('section-16', /^(?:delinquent |compliance with )?section 16\(a\).*$/i, { usual: 2_000 }),
  titled(
    'related-parties',
    /^certain (?:relationships|transactions).*$|^(?:certain )?related[- ](?:party|person)s? (?:policy and )?transactions.*$|^transactions with related (?:persons|parties)$/i,
  ),
  titled(
    'audit-report',
    /^(?:report of the )?audit (?:and finance )?committee report$|^report of the audit (?:and finance )?committee.*$/i,
    { usual: 8_000 },
  ),
  titled('audit-fees', FEES, { usual: 5_000, continues: OTHER_FEES }),
  titled(
    'audit-fees',
    /^(?:principal |independent )?(?:account(?:ant|ing)|auditor|accounting firm)(?:.s)? fees(?: and services)?$/i,
    { usual: 5_000, continues: new RegExp(`${FEES.source}|${OTHER_FEES.source}`, 'i') },
  ),
  titled(
    'auditor',
    /^ratification of .{0,60}(?:accountants?|auditors?|accounting firm|selection|appointment).*$|^(?:independent )?(?:public )?(?:auditors|accountants)$|^(?:appointment|selection) of (?:independent )?.{0,60}(?:accountants?|auditors?|accounting firm).*$/i,
    { within: ['audit-fees', 'audit-report'] },
  ),
  titled('say-on-pay', /^advisory (?:vote|resolution).{0,80}compensation$|^say[- ]on[- ]pay(?: (?:vote|proposal))?$/i),
  titled(
    'holder-proposals',
    /^(?:share|stock)(?:holder|owner)s?.{0,2} proposals?(?: (?:for|and) .*)?$|^proposals of (?:share|stock)holders$/i,
  ),
  titled('householding', /^householding.*$/i, { usual: 3_000 }),
  titled('other-matters', /^other (?:matters|business|information)$/i),
  ...COMBINATION,
  titled('more-information', /^where you can find (?:more|additional) information$/i),
]

/** Headings of the registration statements of mergers (S-4, F-4), which are prospectuses as well. */
export const MERGER: readonly Titled[] = [
  ...PROSPECTUS,
  ...COMBINATION,
  titled('voting', /^questions and answers .*$/i),
]
