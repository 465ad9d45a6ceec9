import assert from 'node:assert/strict'
import { suite } from 'node:test'
import { startBrowserStage } from '../../support/browser/browser-stage.ts'
import { test } from '../../support/browser/launch.ts'
import { mouse } from '../../support/browser/steps/hands.ts'
import { applyFile, checkFile, giveFile, openNewImport, workImports } from '../../support/browser/steps/imports.ts'
import { fileOf, vendorExports } from '../../support/vendor-exports.ts'

const { stage, window } = await startBrowserStage()
const { call } = stage
const work = () => workImports(stage)

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
})
