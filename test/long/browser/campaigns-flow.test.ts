import assert from 'node:assert/strict'
import { suite } from 'node:test'
import { startBrowserStage } from '../../support/browser/browser-stage.ts'
import { test } from '../../support/browser/launch.ts'
import { mouse } from '../../support/browser/steps/hands.ts'
import { save } from '../../support/browser/steps/save.ts'

const { stage, window } = await startBrowserStage()
const { call } = stage
const letter = await stage.action({ name: 'Spring letter' })

suite('campaigns in the console', () => {
  test('a campaign is created, gets an item, loses it, gets it back with Undo, and is deleted', async () => {
    const { page, open, complaints, close } = await window()
    await open('/campaigns/new')
    await page.getByLabel('Name', { exact: true }).fill('Spring')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'No items yet' }).waitFor()
    const [{ id }] = (await call('GET', '/campaigns')).body
    const items = async () => (await call('GET', `/campaigns/${id}`)).body.items
    await page.getByRole('button', { name: 'Add items' }).click()
    await page.getByRole('checkbox', { name: 'Spring letter' }).check()
    await page.getByRole('button', { name: 'Add 1 item' }).click()
    const takeOut = page.getByRole('button', { name: 'Remove Spring letter from the group' })
    await takeOut.waitFor()
    assert.deepEqual(await items(), [{ type: 'email', id: letter }])
    await takeOut.click()
    await page.getByText('Spring letter removed from the group').waitFor()
    await page.getByRole('heading', { name: 'No items yet' }).waitFor()
    assert.deepEqual(await items(), [])
    await page.getByRole('button', { name: 'Undo' }).click()
    await takeOut.waitFor()
    assert.deepEqual(await items(), [{ type: 'email', id: letter }])
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByText('1 item stays as it is').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: 'No campaign groups yet' }).waitFor()
    assert.equal((await call('GET', `/campaigns/${id}`)).status, 404)
    assert.deepEqual(complaints, [])
    await close()
  })

  test("an application's secret is saved, and no draft of it stays in the browser", async () => {
    const { page, open, close } = await window()
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
    await open('/settings/applications/new')
    await page.getByLabel('Name', { exact: true }).fill('Orchard app')
    await page.getByRole('button', { name: 'Your own receiver (HTTP)' }).click()
    await page.getByLabel('Address').fill('https://push.orchard.example/in')
    await page.getByLabel('Secret', { exact: true }).fill(secret)
    await page.waitForFunction(() => JSON.stringify(localStorage).includes('push.orchard.example'))
    const kept = await page.evaluate(() => JSON.stringify(localStorage))
    assert.equal(kept.includes(secret), false)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { level: 1, name: 'Orchard app' }).waitFor()
    const [application] = (await call('GET', '/parameters/applications')).body
    assert.equal(application.providers[0].url, 'https://push.orchard.example/in')
    assert.match(application.providers[0].fingerprint, /^[0-9a-f]{16}$/)
    await close()
  })

  test('a new application requires proofs, and its signing secret is shown once', async () => {
    const { page, open, close, complaints } = await window()
    await open('/settings/applications/new')
    await page.getByLabel('Name', { exact: true }).fill('Proven app')
    await page.getByText('Your server signs the contact who is signed in').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { level: 1, name: 'Proven app' }).waitFor()
    await page.getByText('It is shown only once').waitFor()
    const secret = await page.locator('pre').first().textContent()
    assert.match(secret ?? '', /^[\w-]{43}$/)
    const all = (await call('GET', '/parameters/applications')).body
    const { id, registration } = all.find(({ name }: { name: string }) => name === 'Proven app')
    assert.deepEqual([registration.proof, registration.secret], ['required', null])
    await page.reload()
    await page.getByLabel('Signing secret').waitFor()
    assert.equal(await page.getByText('It is shown only once').count(), 0)
    await open(`/settings/applications/${id}/connect`)
    await page.getByText('createHmac').first().waitFor()
    await open(`/settings/applications/${id}`)
    await page.getByRole('combobox', { name: 'Proof of the contact' }).click()
    await page.getByRole('option', { name: 'Not checked' }).click()
    await page.getByText('Anyone who guesses').waitFor()
    await save(mouse(page))
    await open('/settings/applications')
    await page.getByText('not checked').first().waitFor()
    assert.deepEqual(complaints, [])
    await close()
  })

  test('a viewer sees no link to create or edit', async () => {
    await call('POST', '/display/campaign', { body: { id: 'summer', name: 'Summer fair' } })
    const { page, open, close } = await window({ role: 'viewer' })
    for (const path of ['/display', '/display/campaigns/summer', '/settings/rcs', '/settings/applications']) {
      await open(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      assert.equal(await page.getByRole('link', { name: /^(New|Edit)/ }).count(), 0, path)
    }
    await close()
  })
})
