import assert from 'node:assert/strict'
import { suite } from 'node:test'
import { startBrowserStage } from '../../support/browser/browser-stage.ts'
import { test } from '../../support/browser/launch.ts'

const browserStage = await startBrowserStage()
const { stage, window } = browserStage
const { call } = stage

suite('messages in the console', () => {
  test('of two people editing one action, the second sees both versions and chooses', async () => {
    const id = await stage.action({ name: 'Shared letter' })
    const { page, open, close } = await window()
    await open(`/messages/email/${id}`)
    const name = page.getByLabel('Name', { exact: true })
    await name.fill('Mine')
    await call('PUT', `/actions/${id}`, { body: { name: 'Theirs' } })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('cell', { name: 'Theirs', exact: true }).waitFor()
    await dialog.getByRole('cell', { name: 'Mine', exact: true }).waitFor()
    assert.equal((await stage.get(id)).name, 'Theirs')
    await dialog.getByRole('button', { name: 'Save my version' }).click()
    await page.getByRole('heading', { level: 1, name: 'Mine' }).waitFor()
    assert.equal((await stage.get(id)).name, 'Mine')
    await close()
  })

  test('a session that ends while a message is half written loses nothing', async () => {
    const id = await stage.action({ name: 'Half written' })
    const { page, open, close } = await window()
    await open(`/messages/email/${id}`)
    await page.getByRole('textbox', { name: 'Subject' }).fill('Half of a subject')
    await stage.context.db.deleteFrom('sessions').execute()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Your session has expired' })
    await dialog.getByLabel('Password', { exact: true }).fill(browserStage.password)
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByText('1 unsaved change').waitFor({ state: 'detached' })
    assert.equal((await stage.get(id)).content.subject, 'Half of a subject')
    assert.equal(await page.getByRole('textbox', { name: 'Subject' }).inputValue(), 'Half of a subject')
    browserStage.forgetSessions()
    await close()
  })

  test('a proof is sent with the button or with Enter, without reloading the page or saving', async () => {
    const id = await stage.action({ name: 'Proved' })
    const { page, open, close, complaints } = await window()
    const asked: string[] = []
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (request.method() !== 'GET' && !/\/(render|audience)$/.test(pathname))
        asked.push(`${request.method()} ${pathname}`)
      if (request.isNavigationRequest() && request.frame() === page.mainFrame()) asked.push(`page ${pathname}`)
    })
    await open(`/messages/email/${id}?step=send`)
    await page.getByLabel('Send test to').fill('proof@desk.example')
    asked.length = 0
    await page.getByLabel('Send test to').press('Enter')
    await page.getByText('The test is under way.').waitFor()
    await stage.settle()
    await page.getByText('The test has passed', { exact: false }).waitFor()
    await page.getByRole('button', { name: 'Return to draft' }).click()
    await page.getByRole('button', { name: 'Send test' }).click()
    await page.getByText('The test is under way.').waitFor()
    await stage.settle()
    await page.getByText('The test has passed', { exact: false }).waitFor()
    const path = `/actions/${id}/validation`
    assert.deepEqual(asked, [`POST ${path}`, `DELETE ${path}`, `POST ${path}`])
    assert.equal(stage.gateway.to('proof@desk.example').length, 1)
    assert.deepEqual(complaints, [])
    await close()
  })

  test('a new email starts from HTML or from a copy of another email', async () => {
    const source = await stage.action({ name: 'Well tried' })
    const { page, open, close, complaints } = await window()
    await open('/messages/email')
    await page.getByRole('button', { name: 'New email' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('By hand')
    await dialog.getByRole('radio', { name: 'HTML' }).check()
    await dialog.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { level: 1, name: 'By hand' }).waitFor()
    await page.getByRole('radio', { name: 'HTML' }).and(page.locator(':checked')).waitFor({ state: 'attached' })
    const byHand = await stage.get(String(page.url().match(/\/email\/(\w+)/)?.[1]))
    assert.match(byHand.content.html, /^<!doctype html>\n<html lang="en">/)
    await open('/messages/email')
    await page.getByRole('button', { name: 'New email' }).click()
    await dialog.getByLabel('Name').fill('Tried again')
    await dialog.getByRole('radio', { name: 'A copy of another message' }).check()
    await dialog.getByRole('combobox', { name: 'Message to copy' }).fill('Well')
    await page.getByRole('option', { name: 'Well tried' }).click()
    await dialog.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { level: 1, name: 'Tried again' }).waitFor()
    const made = await stage.get(String(page.url().match(/\/email\/(\w+)/)?.[1]))
    const { content } = await stage.get(source)
    assert.deepEqual([made.name, made.content], ['Tried again', content])
    assert.deepEqual(complaints, [])
    await close()
  })
})
