import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startBrowserStage } from './browser-stage.ts'

const { stage, window } = await startBrowserStage()
const { call } = stage

suite('messages in the console', () => {
  test('case 8: two people edit one action; the second sees both versions and chooses', async () => {
    const id = await stage.action({ name: 'Shared letter' })
    const { page, open, context } = await window()
    await open(`/messages/email/${id}`)
    const name = page.getByLabel('Name', { exact: true })
    await name.fill('Mine')
    await call('PUT', `/actions/${id}`, { body: { name: 'Theirs' } })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('cell', { name: 'Theirs', exact: true }).waitFor()
    await dialog.getByRole('cell', { name: 'Mine', exact: true }).waitFor()
    assert.equal((await stage.get(id)).name, 'Theirs')
    await dialog.getByRole('button', { name: 'Save mine' }).click()
    await page.getByRole('heading', { level: 1, name: 'Mine' }).waitFor()
    assert.equal((await stage.get(id)).name, 'Mine')
    await context.close()
  })
})
