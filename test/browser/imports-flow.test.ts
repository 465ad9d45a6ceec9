import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { fileOf, vendorExports } from '../vendor-exports.ts'
import { startBrowserStage } from './browser-stage.ts'
import { keyboard, mouse } from './steps/hands.ts'
import {
  applyFile,
  checkFile,
  giveFile,
  importPeople,
  openNewImport,
  peopleFile,
  workImports,
} from './steps/imports.ts'
import { buildSegment } from './steps/segments.ts'

const { stage, window } = await startBrowserStage()
const { call } = stage
const work = () => workImports(stage)

/** Takes everything away that a flow has made. */
async function anew(): Promise<void> {
  await call('DELETE', '/targets', { body: { type: 'search', value: { criteria: { all: [] } } } })
  for (const path of ['/imports', '/segments', '/fields'])
    for (const { id, isUnicity } of (await call('GET', path)).body)
      if (!isUnicity) await call('DELETE', `${path}/${id}`)
}

suite('imports in the console', () => {
  for (const [way, hands] of Object.entries({ mouse, keyboard }))
    test(`case 1: 10,000 lines are mapped, checked and imported, and a segment is built of them, by ${way}`, async () => {
      const { page, open, complaints, context } = await window()
      const by = hands(page)
      const file = peopleFile(10_000)
      await open('/')
      await page.getByRole('heading', { level: 1 }).waitFor()
      const { checked, applied } = await importPeople(by, file, work)
      const { created, rejected, duplicates } = file
      assert.deepEqual(
        { checked, applied },
        Object.fromEntries(['checked', 'applied'].map((part) => [part, { created, blocked: 0, rejected, duplicates }])),
      )
      assert.equal((await call('GET', '/targets/count')).body.targetsCount, created)
      await page.getByText('not a value of this field').first().waitFor()
      await buildSegment(by, { name: 'Ninth', ending: '9@orchard.example', count: '998' })
      assert.deepEqual(complaints, [])
      await context.close()
      await anew()
    })

  test('case 2: who unsubscribed at Mailchimp is on the red list as soon as they are contacts', async () => {
    const { page, open, context } = await window()
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
    await context.close()
  })
})
