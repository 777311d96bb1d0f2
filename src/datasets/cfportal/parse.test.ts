import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { type Change, rowsRead } from '../../../test/support/rows-read.ts'
import { parse } from './parse.ts'

const fixture = (accession: string) =>
  readFileSync(new URL(`fixtures/${accession}/primary_doc.xml`, import.meta.url), 'utf8')

/** A registration whose only schedule is Schedule A. */
const registration = fixture('0001951877-22-000001')
/** A filing with every element of the form and all kinds of disclosure pages. */
const specimen = fixture('9000000030-24-000001')

/** Returns the rows, by table, of a document with some parts replaced. */
function read(document: string, ...changes: Change[]) {
  const found = rowsRead(parse, document, changes)
  return { ...found, filing: found.of('filing')[0]! }
}

test('a CRD number of zeros is null, others lose their leading zeros, an invalid one is null and reported', () => {
  const given = (crd: string) => {
    const { of, problems } = read(registration, ['<crdNumber>000000000<', `<crdNumber>${crd}<`])
    return [of('owner')[0]!.crd, problems.map(({ value }) => value)]
  }
  assert.deepEqual(given('000000000'), [null, []])
  assert.deepEqual(given('005548762'), ['5548762', []])
  assert.deepEqual(given('N/A'), [null, []])
  assert.deepEqual(given('pending'), [null, ['pending']])
})

test('the CRD number of an owner without one is null, and no problem is reported', () => {
  const { of, problems } = read(registration, [/<crdNumber>000000000<\/crdNumber>/, ''])
  assert.equal(of('owner')[0]!.crd, null)
  assert.deepEqual(problems, [])
})

test('dates begin with the month, in one or two digits; a day that does not exist is null and reported', () => {
  const given = (date: string) => {
    const { filing, problems } = read(registration, ['<executionDate>11-10-2022<', `<executionDate>${date}<`])
    return [filing.signed, problems.length]
  }
  assert.deepEqual(given('02-09-2022'), ['2022-02-09', 0])
  assert.deepEqual(given('2-9-2022'), ['2022-02-09', 0])
  assert.deepEqual(given('02-30-2022'), [null, 1])
  assert.deepEqual(given('soon'), [null, 1])
  assert.deepEqual(given(''), [null, 0])
})

test('the month in which an owner took a title is YYYY-MM; an impossible month is null and reported', () => {
  const part = '<dateOfTitleStatusAcquired>10/2022<'
  const given = (month: string) => read(registration, [part, `<dateOfTitleStatusAcquired>${month}<`])
  assert.equal(given('03/2020').of('owner')[0]!.since, '2020-03')
  for (const wrong of ['13/2020', '00/2020', '2020', '06/20']) {
    const { of, problems } = given(wrong)
    assert.equal(of('owner')[0]!.since, null, wrong)
    assert.match(problems[0]!.reason, /MM\/YYYY/)
  }
})

test('a question without an answer is null, not no', () => {
  const { of, filing, problems } = read(registration, ['<isConvictedOfFelony>N</isConvictedOfFelony>', ''])
  assert.equal(of('answer').find(({ item }) => item === '5-A(1)')!.yes, null)
  assert.equal(of('answer').length, 28)
  assert.deepEqual([filing.yes_items, problems], [[], []])
  const odd = read(registration, ['<isDisciplined>N<', '<isDisciplined>maybe<'])
  assert.equal(odd.of('answer').find(({ item }) => item === '5-E(4)')!.yes, null)
  assert.equal(odd.problems.length, 1)
})

test('a form without the disclosure answers gives 28 questions whose answers are null', () => {
  const { of } = read(registration, [/<disclosureAnswers>.*<\/disclosureAnswers>/s, ''])
  assert.deepEqual(new Set(of('answer').map(({ yes }) => yes)), new Set([null]))
  assert.equal(of('answer').length, 28)
})

test('violations found by a regulator and by a court are kept apart, although their elements have the same name', () => {
  const second = /(<civilJudicialActionDisclosure>.*)<isFoundInViolationOfRegulation>N</s
  const { filing } = read(registration, [second, '$1<isFoundInViolationOfRegulation>Y<'])
  assert.deepEqual(filing.yes_items, ['5-H(2)'])
})

test('the items answered with yes are listed in the order of the form', () => {
  const { filing } = read(
    registration,
    ['<doesAppHaveLiens>N<', '<doesAppHaveLiens>Y<'],
    ['<isEnjoined>N<', '<isEnjoined>Y<'],
  )
  assert.deepEqual(filing.yes_items, ['5-H(1)', '5-L'])
})

test('the website is the first current one, never a former one', () => {
  const block = /<otherNamesAndWebsiteUrls>.*<\/otherNamesAndWebsiteUrls>/s
  const site = (website: string) =>
    `<otherNamesAndWebsiteUrls><webSiteOfPortal>${website}</webSiteOfPortal></otherNamesAndWebsiteUrls>`
  const former = '<prevNamesAndWebsiteUrls><prevWebSiteUrls>old.example</prevWebSiteUrls></prevNamesAndWebsiteUrls>'
  // An entry with a name and no website, as in 0001886151-21-000001, where the name is a web address.
  const named = '<otherNamesAndWebsiteUrls><otherNamesUsedPortal>Wave</otherNamesUsedPortal></otherNamesAndWebsiteUrls>'
  assert.equal(read(registration, [block, named + former]).filing.website, null)
  const both = read(registration, [block, named + site('a.example') + site('b.example') + former])
  assert.equal(both.filing.website, 'a.example')
  assert.deepEqual(
    both.of('name').map(({ is_previous, website }) => [is_previous, website]),
    [
      [false, null],
      [false, 'a.example'],
      [false, 'b.example'],
      [true, 'old.example'],
    ],
  )
  assert.equal(both.filing.search_key, 'crowdsurf funding portal llc\nwave\na.example\nb.example\nold.example')
})

test('the words None and N/A are read as null, but the code NA means an ownership below 5 percent', () => {
  const { of, filing } = read(
    registration,
    ['<com:street2>SUITE 1350<', '<com:street2>N/A<'],
    ['<com:middleName>Allen<', '<com:middleName>NONE<'],
  )
  assert.deepEqual([filing.street2, filing.contact_middle_name], [null, null])
  assert.equal(of('owner')[1]!.ownership, 'NA')
})

test('a private residence and its telephone are dropped, and are not reported as unread', () => {
  const { of, unread } = read(specimen)
  const [archive, home] = of('books')
  assert.equal(archive!.street1, '8 Archive Lane')
  assert.deepEqual([home!.street1, home!.city, home!.zip, home!.phone, home!.fax], [null, null, null, null, null])
  assert.deepEqual(unread, [])
})

test('tax numbers of owners are not kept', () => {
  assert.ok(specimen.includes('<irsTaxNumber>00-0000000<'))
  assert.ok(!JSON.stringify(read(specimen).of('owner')).includes('00-0000000'))
})

test('a code that the form does not have is null and reported', () => {
  const { of, problems } = read(
    specimen,
    ['<entityType>FE<', '<entityType>XX<'],
    ['<typeOfAmendment>C<', '<typeOfAmendment>R<'],
  )
  assert.equal(of('owner')[0]!.entity_type, null)
  assert.equal(of('owner')[2]!.change, null)
  assert.deepEqual(problems.map(({ value }) => value).sort(), ['R', 'XX'])
})

test('an invalid amount is null and reported, .00 is zero, an absent amount is null', () => {
  const given = (amount: string) => {
    const part = '<drp:judgementOrLienAmount>7300.10</drp:judgementOrLienAmount>'
    const { of, problems } = read(specimen, [
      part,
      amount && `<drp:judgementOrLienAmount>${amount}</drp:judgementOrLienAmount>`,
    ])
    return [of('disclosure').at(-1)!.amount, problems.length]
  }
  assert.deepEqual(given('.00'), ['0', 0])
  assert.deepEqual(given('-15.50'), ['-15.5', 0])
  assert.deepEqual(given('N/A'), [null, 0])
  assert.deepEqual(given('unknown'), [null, 1])
  assert.deepEqual(given(''), [null, 0])
})

test('a disclosure page that names no party is kept as one row', () => {
  const { of } = read(specimen, [/<drp:applicant>\s*<drp:appBankruptcy.*<\/drp:affiliatePerson>/s, ''])
  const pages = of('disclosure').filter(({ kind }) => kind === 'bankruptcy')
  assert.deepEqual(
    pages.map(({ party, items, opened_date }) => [party, items, opened_date]),
    [[null, ['5-J(1)'], null]],
  )
})

test('the first of two filers is the portal, and the second is reported', () => {
  const second =
    '</filer><filer><filerCredentials><filerCik>77</filerCik><filerCcc>x</filerCcc></filerCredentials></filer>'
  const { filing, problems, unread } = read(registration, ['</filer>', second])
  assert.equal(filing.cik, '0001951877')
  assert.deepEqual(
    problems.map(({ value }) => value),
    ['77'],
  )
  assert.deepEqual(unread, [])
})

test('elements of the submission’s envelope are ignored by name, whatever their prefix', () => {
  const { unread, filing } = read(
    registration,
    ['<headerData>', '<schemaVersion>X01</schemaVersion><headerData>'],
    ['<flags>', '<liveTestFlag>LIVE</liveTestFlag><flags><confirmingCopyFlag>false</confirmingCopyFlag>'],
    [
      '</flags>',
      '</flags><contact><contactName>A</contactName></contact><notifications><notificationEmail>a@b.example</notificationEmail></notifications>',
    ],
    ['</formData>', '</formData><documents><document><conformedName>a.pdf</conformedName></document></documents>'],
    [/<(\/?)(portalAddress|formOfOrganization)>/g, '<$1p:$2>'],
    ['xmlns="', 'xmlns:p="http://www.sec.gov/edgar/crowdfunding" xmlns="'],
  )
  assert.deepEqual(unread, [])
  assert.deepEqual([filing.city, filing.legal_status], ['DALLAS', 'Limited Liability Company'])
})

test('an element that the parser does not know is reported as unread', () => {
  const { unread } = read(registration, [
    '</identifyingInformation>',
    '<newQuestion>Y</newQuestion></identifyingInformation>',
  ])
  assert.deepEqual(unread, ['/edgarSubmission/formData/identifyingInformation/newQuestion'])
})

test('a document of another form, or without its CIK or name, is refused with the reason', () => {
  const wrong = '<edgarSubmission><headerData><submissionType>C</submissionType></headerData></edgarSubmission>'
  assert.throws(() => read(wrong), /not a Form Funding Portal: <edgarSubmission> with submissionType C/)
  assert.throws(() => read('<ownershipDocument/>'), /not a Form Funding Portal: <ownershipDocument>/)
  assert.throws(() => read(registration, ['<filerCik>0001951877<', '<filerCik><']), /filerCik/)
  assert.throws(() => read(registration, [/<nameOfPortal>[^<]*</, '<nameOfPortal><']), /nameOfPortal is missing/)
})
