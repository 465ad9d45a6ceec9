import assert from 'node:assert/strict'
import { suite } from 'node:test'
import { startBrowserStage } from '../../support/browser/browser-stage.ts'
import { test } from '../../support/browser/launch.ts'
import { type Hands, keyboard, mouse } from '../../support/browser/steps/hands.ts'
import {
  applyFile,
  checkFile,
  createAndImport,
  giveFile,
  openNewImport,
  workImports,
} from '../../support/browser/steps/imports.ts'
import { fileOf, vendorExports } from '../../support/files/vendor-exports.ts'
import { workbook } from '../../support/files/workbook.ts'

const { stage, window } = await startBrowserStage()
const { call } = stage
const work = () => workImports(stage)

/** A workbook of two sheets with contacts, and one that is hidden. */
const BOOK = workbook([
  { name: 'Notes', rows: [['Email'], ['hidden@orchard.example']], state: 'hidden' },
  { name: 'People', rows: [['Email'], ['first@orchard.example']] },
  { name: 'Élèves', rows: [['Email'], ['second@orchard.example'], ['third@orchard.example']] },
])

/** A file of ten columns besides the address, as a shop exports them; `who` makes its addresses and headings differ. */
function shopFile(who: string): Buffer {
  const headings = [
    'Email',
    'Prénom',
    'Mobile',
    'Né le',
    'Vu le',
    'Points',
    'Member',
    'Fruit',
    'Fruits',
    'Site',
    'Notes',
  ]
  const lines = Array.from({ length: 60 }, (_, index) =>
    [
      `${who}${index}@orchard.example`,
      ['Zoë', 'Émilie d’Éprémesnil-Llanfair'][index % 2],
      `+336123456${String(index).padStart(2, '0')}`,
      `19${String(10 + index)}-03-0${(index % 9) + 1}`,
      '2026-03-01T10:00:00Z',
      `${index},5`,
      index % 3 === 0 ? 'Yes' : 'No',
      ['Apple', 'Pear'][index % 2],
      ['Apple|Plum', 'Pear'][index % 2],
      'https://orchard.example/',
      index === 3 ? 'n/a' : String(index),
    ].join(';'),
  )
  return Buffer.from(
    [headings.map((heading, place) => (place === 0 ? heading : `${heading} ${who}`)).join(';'), ...lines].join('\n'),
  )
}

/** Hands that count what a person presses. */
function countingHands(hands: Hands): Hands & { presses(): number } {
  let presses = 0
  return {
    ...hands,
    press: (target) => {
      presses++
      return hands.press(target)
    },
    give: (...given) => {
      presses++
      return hands.give(...given)
    },
    presses: () => presses,
  }
}

suite('imports in the console', () => {
  for (const [who, way] of [
    ['mouse', mouse],
    ['keyboard', keyboard],
  ] as const) {
    test(`a file with ten new fields of guessed types is imported in at most 8 presses, by ${who}`, async () => {
      const { page, open, close } = await window()
      const by = countingHands(way(page))
      await open('/')
      await openNewImport(by)
      await giveFile(by, { name: 'shop.csv', type: 'text/csv', content: shopFile(who) })
      const applied = await createAndImport(by, { fields: 10, work })
      assert.deepEqual(applied, { created: 60, blocked: 0, rejected: 0, duplicates: 0 })
      assert.ok(by.presses() <= 8, `${by.presses()} presses`)
      const { body: fields } = await call('GET', '/fields')
      const types = fields
        .filter(({ name }: { name: string }) => name.endsWith(` ${who}`))
        .map(({ name, type }: { name: string; type: string }) => `${name.replace(` ${who}`, '')}: ${type}`)
      assert.deepEqual(types, [
        'Prénom: textField',
        'Mobile: phone',
        'Né le: date',
        'Vu le: date',
        'Points: numeric',
        'Member: singleSelectList',
        'Fruit: singleSelectList',
        'Fruits: multipleSelectList',
        'Site: textField',
        'Notes: textField',
      ])
      await page.getByText('60 contacts were created.').waitFor()
      await by.press(page.getByRole('link', { name: 'Create segment' }))
      await page.getByText('contacts match now').waitFor()
      await close()
    })
  }

  test('the type of a new field is chosen before anything is written', async () => {
    const { page, open, close } = await window()
    const by = mouse(page)
    await open('/imports')
    await openNewImport(by)
    const content = Buffer.from('Email,Card number\nann@orchard.example,4711\n')
    await giveFile(by, { name: 'cards.csv', type: 'text/csv', content })
    const countFields = async (): Promise<number> => (await call('GET', '/fields')).body.length
    const before = await countFields()
    await by.choose(page.getByRole('combobox', { name: 'Type of Card number' }), 'Text')
    assert.equal(await countFields(), before)
    await createAndImport(by, { fields: 1, work })
    const { body: fields } = await call('GET', '/fields')
    assert.equal(fields.find(({ name }: { name: string }) => name === 'Card number').type, 'textField')
    await close()
  })

  test('contacts that unsubscribed at Mailchimp are blocked as soon as they are imported', async () => {
    const { page, open, close } = await window()
    const by = mouse(page)
    await open('/imports')
    const mailchimp = vendorExports.find(({ vendor }) => vendor === 'mailchimp')!
    await openNewImport(by)
    await giveFile(by, { name: mailchimp.name, type: 'application/zip', content: await fileOf(mailchimp) })
    await page.getByText('Mailchimp', { exact: true }).waitFor()
    const checked = await checkFile(by, work)
    const applied = await applyFile(by, { work })
    assert.deepEqual(applied, checked)
    assert.ok(applied['blocked']! > 0)
    const { body: listed } = await call('GET', '/targets/redlist/mail')
    const flagged = (await call('GET', '/targets/bounces')).body
    assert.equal(listed.length + flagged.length, applied['blocked'])
    await close()
  })

  test('the chosen sheet of a workbook is previewed, checked and imported, and the import keeps it', async () => {
    const { page, open, close } = await window()
    const by = mouse(page)
    await open('/imports')
    await openNewImport(by)
    await giveFile(by, { name: 'team.xlsx', type: 'application/octet-stream', content: BOOK })
    const sheet = page.getByRole('combobox', { name: 'Sheet' })
    assert.equal(await sheet.inputValue(), 'People')
    await page.getByRole('cell', { name: 'first@orchard.example' }).waitFor()
    await sheet.click()
    assert.deepEqual(await page.getByRole('option').allTextContents(), ['People', 'Élèves'])
    await by.press(page.getByRole('option', { name: 'Élèves' }))
    await page.getByRole('cell', { name: 'second@orchard.example' }).waitFor()
    const checked = await checkFile(by, work)
    const applied = await applyFile(by, { work })
    assert.deepEqual([checked['created'], applied], [2, checked])
    const answers = ['first', 'second', 'third'].map((name) => call('GET', `/targets?unicity=${name}@orchard.example`))
    assert.deepEqual(
      (await Promise.all(answers)).map(({ status }) => status),
      [404, 200, 200],
    )
    const id = Number(new URL(page.url()).pathname.split('/').at(-1))
    await open(`/imports/${id}/settings`)
    await page.getByRole('cell', { name: 'second@orchard.example' }).waitFor()
    assert.equal(await page.getByRole('combobox', { name: 'Sheet' }).inputValue(), 'Élèves')
    await close()
  })

  test('settings of an import whose last file lacks the chosen sheet say which one is shown', async () => {
    const { page, open, close } = await window()
    const features = [{ type: 'columns', sheet: 'Members', fields: [{ column: 'Email', field: 1 }] }]
    const { body } = await call('POST', '/imports', { body: { name: 'Members', features } })
    const headers = {
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment; filename="team.xlsx"',
    }
    await call('PUT', `/imports/${body.id}/source`, { body: BOOK, headers })
    await open(`/imports/${body.id}/settings`)
    await page.getByText('The file does not have this sheet. The lines of “People” are shown.').waitFor()
    assert.equal(await page.getByRole('combobox', { name: 'Sheet' }).inputValue(), 'Members')
    await close()
  })

  test('a workbook with a password is refused next to its file, with what to do', async () => {
    const { page, open, close } = await window()
    const by = mouse(page)
    await open('/imports')
    await openNewImport(by)
    const content = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)])
    const input = page.locator('input[type=file]')
    await input.setInputFiles({ name: 'locked.xlsx', mimeType: 'application/octet-stream', buffer: content })
    await page
      .getByRole('alert')
      .getByText('"locked.xlsx" is protected by a password. Save it without a password')
      .waitFor()
    await close()
  })
})
