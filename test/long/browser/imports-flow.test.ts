import assert from 'node:assert/strict'
import { suite } from 'node:test'
import { startBrowserStage } from '../../support/browser/browser-stage.ts'
import { test } from '../../support/browser/launch.ts'
import { mouse } from '../../support/browser/steps/hands.ts'
import { applyFile, checkFile, giveFile, openNewImport, workImports } from '../../support/browser/steps/imports.ts'
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

suite('imports in the console', () => {
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
